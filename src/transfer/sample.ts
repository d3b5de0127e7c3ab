// The export that comes with the program: `examples/sample.wxr.xml`.

/** Names of the resources that it has content for. */
export const SAMPLE_RESOURCES: readonly string[] = ['post', 'page', 'attachment', 'comment', 'category', 'tag'];
