// The TypeScript module of a site: types of every resource, and a client over them.
import { catalogue } from '../../errors/catalogue.js';
import { actionCodes, codeOf, errorCodes } from '../../http/openapi/error-codes.js';
import { takesFiles } from '../../http/resource/upload-intake.js';
import { routeOf } from '../../http/routes/resource-route.js';
import { isAcross, listPath } from '../../model/functions/paths.js';
import type { ModelSet, ResourceModel } from '../../model/model.js';
import { CLIENT_TEXT } from './client-text.js';
import { DECLARATIONS_TEXT } from './declarations-text.js';
import { NameList, type ModuleNames } from './names.js';
import { offers, resourceTypes } from './resource-types.js';
import { TRANSPORT_TEXT } from './transport-text.js';
import { commentText, indented } from './type-text.js';

const HEAD = `// Made by \`typecase types\` from the schemas of the site: write it again when they change, do not edit it.
/* eslint-disable */
`;

/** The text of the module; `namespace` as in URLs: `cms/v2`. */
export function moduleText(models: ModelSet, namespace: string): string {
  const resources = [...models.byName.values()].flatMap((model) => (model.across ? [model, model.across] : [model]));
  // Saved queries come last, so that they take no name from a resource.
  const served = [...resources, ...resources.flatMap(({ views = [] }) => views)];
  const list = new NameList();
  const namesOf = new Map(served.map((model) => [model, list.add(nameOf(model))]));
  const types = served.map((model) => resourceTypes({ model, names: namesOf.get(model)!, namesOf }));
  const collections = served.map((model) => collectionText(model, namesOf.get(model)!, namespace));
  const client = [
    '/** A client of the site; nothing is sent before a call is awaited. */',
    'export function createClient(options: ClientOptions) {',
    '  const send = sender(options);',
    '  const { batch, atomic } = new Batches(send);',
    '  return {',
    indented(indented(collections.join(''))).trimEnd(),
    '    batch,',
    '    atomic,',
    '  };',
    '}\n',
    '/** The client of the site. */',
    'export type Client = ReturnType<typeof createClient>;\n',
  ].join('\n');
  const same = [DECLARATIONS_TEXT, CLIENT_TEXT, TRANSPORT_TEXT].map((text) => text.trimStart());
  return [HEAD, errorCodeType(served), ...types, ...same, client].join('\n');
}

/** The name of a resource, of its list across parents, or of one of its saved queries. */
function nameOf(model: ResourceModel): string {
  return [model.name, ...(isAcross(model) ? ['across'] : []), ...(model.view ? [model.view.name] : [])].join('-');
}

function errorCodeType(models: readonly ResourceModel[]): string {
  const own = models.flatMap((model) => [
    ...[...model.operations].flatMap((operation) => errorCodes(model, operation)),
    ...[...model.ownActions.values()].flatMap((action) => actionCodes(model, action)),
    ...Object.values(model.schema.errors?.failed ?? {}),
  ]);
  const codes = [...new Set([...Object.keys(catalogue), ...own.map(codeOf)])].sort();
  return `/** Codes of errors. */\nexport type ErrorCode =\n${codes.map((code) => `  | ${JSON.stringify(code)}`).join('\n')};\n`;
}

/** One member of the client. The operations that the resource does not offer are left out of its type. */
function collectionText(model: ResourceModel, { type, member }: ModuleNames, namespace: string): string {
  const { parent, operations, singleton } = model;
  const path = listPath(model);
  const paging = operations.has('list') ? pagingText(model) : '';
  const methods = [
    ...(operations.has('list') ? ['list', 'all'] : []),
    ...(operations.has('list') && offers(model, 'aggregate') && offers(model, 'group') ? ['aggregate'] : []),
    ...(operations.has('retrieve') ? ['retrieve'] : []),
    ...(operations.has('create') ? [takesFiles(routeOf(model, '', namespace)) ? 'upload' : 'create'] : []),
    ...(operations.has('update') ? ['update'] : []),
    ...(operations.has('delete') ? ['remove'] : []),
    ...(model.actions.size > 0 && !model.listOf ? ['act'] : []),
    ...(model.ownActions.size > 0 && !model.listOf ? ['perform'] : []),
  ];
  const pathText = parent
    ? `\`/${namespace}/${parent.model.path}/\${segment(parent)}/${path}\``
    : `'/${namespace}/${path}'`;
  const offered = methods.map((name) => `'${name}'`).join(' | ') || 'never';
  const kind = `${singleton ? 'Singleton' : 'Collection'}<${type}Resource>`;
  const made = `new ${kind}(send, ${pathText}${paging}) as Pick<${kind}, ${offered}>`;
  const value = parent ? `(parent: number | Reference) => ${made}` : made;
  return `${commentText(model.description)}${member}: ${value},\n`;
}

/** The paging of a list, as the last argument of the constructor of its collection. */
function pagingText(model: ResourceModel): string {
  const { list, listParams } = model;
  const members = [
    ...(list.paginated && listParams.has('per_page') ? [`largest: ${list.maxPerPage}`] : []),
    ...(list.paginated && offers(model, 'cursor') ? ['cursors: true'] : []),
  ];
  return members.length > 0 ? `, { ${members.join(', ')} }` : '';
}
