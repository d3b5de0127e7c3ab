// The parts of `s3://bucket/prefix?endpoint=…&region=…&url=…&style=…`.
import { httpUrl } from './url-parsers.js';

/** The location of a bucket, and how URLs of its files are formed. */
export interface S3Location {
  bucket: string;
  /** Ends with a slash unless it is empty. */
  prefix: string;
  region: string;
  /** Absent: Amazon S3. */
  endpoint?: string;
  /** Path-style URLs: the bucket is in the path, not in the host name. */
  pathStyle: boolean;
  /** Base URL of the public files; absent: this server serves them. */
  publicUrl?: string;
}

const PARAMETERS = ['endpoint', 'region', 'url', 'style'];
const REGION = /^[a-z0-9-]{1,60}$/;

/** Parses a URL that `isS3Url` accepts; undefined for those of folders. */
export function s3Location(text: string): S3Location | undefined {
  if (!text.startsWith('s3://') || !URL.canParse(text)) return undefined;
  const { hostname: bucket, pathname, searchParams } = new URL(text);
  const path = decodeURIComponent(pathname).replace(/^\/+|\/+$/g, '');
  const url = (name: string) => httpUrl(searchParams.get(name) ?? '');
  const [endpoint, publicUrl, style] = [url('endpoint'), url('url'), searchParams.get('style')];
  return {
    bucket,
    prefix: path === '' ? '' : `${path}/`,
    region: searchParams.get('region') ?? 'us-east-1',
    pathStyle: style === null ? endpoint !== undefined : style === 'path',
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(publicUrl === undefined ? {} : { publicUrl }),
  };
}

/** Whether every part of a URL can be used. */
export function isS3Url(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { searchParams, pathname, username } = new URL(text);
  const fits: Record<string, (value: string) => boolean> = {
    endpoint: (value) => httpUrl(value) !== undefined,
    url: (value) => httpUrl(value) !== undefined,
    region: (value) => REGION.test(value),
    style: (value) => value === 'path' || value === 'host',
  };
  const known = [...searchParams].every(([name, value]) => PARAMETERS.includes(name) && fits[name]!(value));
  return known && username === '' && !/(^|\/)\.|%|\/\/|\\/.test(pathname);
}
