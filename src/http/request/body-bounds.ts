// Limits on the size and complexity of a body: for callers who may write on the route, and for all others.
import { limits } from '../limits.js';

/** Limits of one body, checked while it arrives. */
export interface BodyBounds {
  /** Bytes, after inflation. */
  readonly bytes: number;
  /** Levels of objects and lists. */
  readonly depth: number;
  /** Members of all objects together. */
  readonly members: number;
  /** Items of all lists together. */
  readonly items: number;
}

/** Limits for callers who may write; `bytes` as configured for the route. */
export function writerBounds(bytes: number): BodyBounds {
  return { bytes, depth: limits.jsonDepth, members: limits.jsonKeys, items: limits.jsonItems };
}

/** Limits for all others: no more than a comment or a login needs. */
export function untrustedBounds(bytes: number): BodyBounds {
  return {
    bytes,
    depth: limits.untrustedDepth,
    members: limits.untrustedMembers,
    items: limits.untrustedMembers,
  };
}
