// Export files made on the spot, for the specs of this room.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';
import { readWxr, type WxrReading } from '../../../src/transfer/wxr-file/wxr-reader.js';
import type { WxrEvent } from '../../../src/transfer/wxr-file/wxr-events.js';

const folder = mkdtempSync(join(tmpdir(), 'typecase-wxr-'));
let count = 0;

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A fresh path in a folder that goes with the spec. */
export function freshPath(name = 'file.xml'): string {
  return join(folder, `${++count}-${name}`);
}

/** Writes a file and returns its path. */
export function fileOf(content: string | Buffer, name?: string): string {
  const path = freshPath(name);
  writeFileSync(path, content);
  return path;
}

const NAMESPACES = (version: string, host = 'http://wordpress.org') =>
  `xmlns:excerpt="${host}/export/${version}/excerpt/" xmlns:content="http://purl.org/rss/1.0/modules/content/" ` +
  `xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:wp="${host}/export/${version}/"`;

/** An export around the given parts. */
export function wxr(
  parts: string,
  { version = '1.2', host = 'http://wordpress.org', link = 'https://src.example' } = {},
): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" ${NAMESPACES(version, host)}><channel><title>T</title><link>${link}</link>
<wp:wxr_version>${version}</wp:wxr_version>
${parts}
</channel></rss>`;
}

/** An item; `more` is XML inside it. */
export function itemXml(fields: Record<string, string | number> = {}, more = ''): string {
  const { title = 'A title', content = 'Some text', creator = 'ann', ...rest } = fields;
  const own = {
    post_id: 10,
    post_type: 'post',
    status: 'publish',
    post_name: 'a-title',
    post_date: '2024-01-02 03:04:05',
    post_date_gmt: '2024-01-02 03:04:05',
    ...rest,
  };
  const elements = Object.entries(own).map(([name, value]) => `<wp:${name}>${value}</wp:${name}>`);
  return `<item><title>${title}</title><dc:creator>${creator}</dc:creator><content:encoded><![CDATA[${content}]]></content:encoded>${elements.join('')}${more}</item>`;
}

/** All events of a file. */
export async function eventsOf(file: string, reading?: WxrReading): Promise<WxrEvent[]> {
  const events: WxrEvent[] = [];
  for await (const event of readWxr(file, reading)) events.push(event);
  return events;
}
