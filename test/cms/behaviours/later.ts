// Behaviours, or the parts of them, that come with a later issue. Each has a reason; coverage.spec.ts counts them apart.

export interface Later {
  id: string;
  /** Issue that brings it. */
  with: string;
  /** What is missing until then. */
  what: string;
}

export const LATER: Later[] = [
  { id: 'M-11', with: 'media', what: 'resized copies and their source_url, the size "full"' },
];
