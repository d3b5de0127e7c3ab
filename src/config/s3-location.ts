// The parts of `s3://bucket/prefix?endpoint=…&region=…&url=…&style=…`.
import { webAddress } from './address-parsers.js';

/** Where a bucket is, and how its files are addressed. */
export interface S3Address {
  bucket: string;
  /** Ends with a slash unless it is empty. */
  prefix: string;
  region: string;
  /** Absent: Amazon S3. */
  endpoint?: string;
  /** Path-style addresses: the bucket is in the path, not in the host name. */
  pathStyle: boolean;
  /** Where the public files are served; absent: by this server. */
  publicUrl?: string;
}

const PARAMETERS = ['endpoint', 'region', 'url', 'style'];
const REGION = /^[a-z0-9-]{1,60}$/;

/** Parses an address that `isS3Address` accepts; undefined for those of folders. */
export function s3Address(text: string): S3Address | undefined {
  if (!text.startsWith('s3://') || !URL.canParse(text)) return undefined;
  const { hostname: bucket, pathname, searchParams } = new URL(text);
  const path = decodeURIComponent(pathname).replace(/^\/+|\/+$/g, '');
  const address = (name: string) => webAddress(searchParams.get(name) ?? '');
  const [endpoint, publicUrl, style] = [address('endpoint'), address('url'), searchParams.get('style')];
  return {
    bucket,
    prefix: path === '' ? '' : `${path}/`,
    region: searchParams.get('region') ?? 'us-east-1',
    pathStyle: style === null ? endpoint !== undefined : style === 'path',
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(publicUrl === undefined ? {} : { publicUrl }),
  };
}

/** Whether every part of an address can be used. */
export function isS3Address(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { searchParams, pathname, username } = new URL(text);
  const fits: Record<string, (value: string) => boolean> = {
    endpoint: (value) => webAddress(value) !== undefined,
    url: (value) => webAddress(value) !== undefined,
    region: (value) => REGION.test(value),
    style: (value) => value === 'path' || value === 'host',
  };
  const known = [...searchParams].every(([name, value]) => PARAMETERS.includes(name) && fits[name]!(value));
  return known && username === '' && !/(^|\/)\.|%|\/\/|\\/.test(pathname);
}
