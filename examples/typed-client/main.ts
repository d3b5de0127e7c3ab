// What a program does with the typed client of the shipped schemas. From the top of the repository:
//
//   npm run cms -- types --out examples/typed-client/cms.ts
//   npx tsc -p examples/typed-client
//   CMS_PASSWORD=… node examples/typed-client/dist/main.js        # against a server that runs
import { ApiError, createClient, etagOf, ref, type Client, type PostEdit } from './cms.js';

/** Makes a post with a tag of its own and an image, changes it, lists what there is and removes it again. */
export async function tour(cms: Client): Promise<string[]> {
  const said: string[] = [];
  // One transaction: the post uses the id of the tag that is made before it.
  const [tag, post] = await cms.atomic([
    cms.tag.create({ name: `Roses ${crypto.randomUUID()}` }),
    cms.post.create({ title: 'Roses', content: 'They bloom.', status: 'publish', tags: [ref(0)] }),
  ]);
  said.push(`made: ${post.title.rendered}`);

  const image = new Blob([PIXEL], { type: 'image/png' });
  const media = await cms.attachment.upload(image, { title: 'A pixel' }, { filename: 'pixel.png' });
  const changed = await rename(cms, post.id, 'Red roses', media.id);
  said.push(`renamed: ${changed.title.raw}`);

  for await (const each of cms.post.all({ tags: [tag.id], _fields: ['id', 'slug'] })) said.push(`listed: ${each.slug}`);

  await cms.post.remove(post.id, { force: true });
  await cms.attachment.remove(media.id, { force: true });
  await cms.tag.remove(tag.id, { force: true });
  return said;
}

/** Renames a post; when somebody else has changed it in between, it is read again. */
async function rename(cms: Client, id: number, title: string, image: number): Promise<PostEdit> {
  for (;;) {
    const current = await cms.post.retrieve(id, { context: 'edit' });
    try {
      return await cms.post.update(id, { title, featured_media: image }, { ifMatch: etagOf(current) });
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'rest_precondition_failed') throw error;
    }
  }
}

const PIXEL = Uint8Array.from(
  atob('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='),
  (character) => character.charCodeAt(0),
);

const { CMS_URL = 'http://127.0.0.1:3000', CMS_USERNAME = 'admin', CMS_PASSWORD } = process.env;
if (CMS_PASSWORD !== undefined) {
  const cms = createClient({ url: CMS_URL, credentials: { username: CMS_USERNAME, password: CMS_PASSWORD } });
  for (const line of await tour(cms)) console.log(line);
}
