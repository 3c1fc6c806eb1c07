import { firstSentence, page, table } from '../page.ts'
import {
  clientDocument,
  type Document,
  type Operation,
  operationsOf,
  sellerContract,
  sellerDocument,
} from './documents.ts'
import {
  errorLink,
  programErrorsOf,
  programFieldErrors,
  sellerErrorsOf,
  sellerFieldErrors,
  sharedProgramErrors,
  sharedSellerErrors,
} from './errors.ts'
import { exampleOf } from './examples.ts'
import { type FilledGroup, grouped, titleOf } from './groups.ts'
import { callLine, errorSection, fieldTable, heading, parameterTables, replyFields } from './operation-section.ts'
import { tryItCall, tryItForm } from './try-it.ts'

/** The API reference at /docs/api/, made from the OpenAPI documents (docs/decisions/033). */

const links = (codes: readonly string[]): string => codes.map(errorLink).join(', ')

function sellerSection(operation: Operation): string {
  const { id, method, path, summary, body } = operation
  const { scope, idempotent, successes = {} } = sellerContract[id] ?? {}
  const [success, another] = Object.entries(successes)
  const message = success && !another ? { code: success[0], message: success[1] } : undefined
  const example = exampleOf(operation, message)
  const needs = scope
    ? `Needs the permission [\`${scope}\`](/docs/seller-api/#permissions).`
    : 'Needs no permission: every key may call it.'
  const once = idempotent ? ' Runs [once](/docs/seller-api/#sell-exactly-once) for each `Idempotency-Key`.' : ''
  const guide = example.anchor ? ` See [the guide](/docs/seller-api/#${example.anchor}).` : ''
  const command = example.command ?? `curl -sS -X ${method} "$SIGNET_URL${path}" -H "Authorization: Bearer $SELLER_KEY"`
  return [
    heading(titleOf(operation), id),
    callLine(operation),
    summary,
    needs + once + guide,
    ...parameterTables(operation),
    ...fieldTable('Body', body),
    `\`\`\`sh\n${command}\n\`\`\``,
    'The reply:',
    `\`\`\`json\n${example.replyText}\n\`\`\``,
    ...replyFields(operation),
    ...errorSection(sellerErrorsOf(id), 'seller'),
    tryItForm(tryItCall(operation, example)),
  ].join('\n\n')
}

const head = (title: string, description: string, label: string, order: number) => (body: string) =>
  page({ title, description }, body).replace(
    /\n---\n\n/,
    `\nsidebar:\n  label: ${JSON.stringify(label)}\n  order: ${order}\ntableOfContents:\n  maxHeadingLevel: 2\n---\n\n`,
  )

const everyCallNote = `Every call can also answer [the errors of all calls](/docs/api/#errors). \`$SIGNET_URL\` is the address of the server, and
\`$SELLER_KEY\` a seller key.`

function groupPage({ title, description, operations }: FilledGroup, order: number): string {
  const sections = operations.map(sellerSection)
  const key = '<div><signet-seller-key></signet-seller-key></div>'
  return head(`Seller API: ${title}`, description, title, order)([everyCallNote, key, ...sections].join('\n\n'))
}

function clientSection(operation: Operation): string {
  const call = operation.path.split('/').at(-1) ?? ''
  return [
    heading(`\`${call}\``, operation.id),
    callLine(operation),
    operation.summary,
    ...parameterTables(operation),
    ...fieldTable('Body', operation.body),
    ...fieldTable('Reply', replyOf(operation)),
    ...errorSection(programErrorsOf(call), 'programs'),
  ].join('\n\n')
}

/** Without the fields that every reply has. */
function replyOf({ reply }: Operation): Operation['reply'] {
  const { success: _success, message: _message, ...properties } = reply.properties ?? {}
  return { ...reply, properties }
}

function clientPage(operations: readonly Operation[], order: number): string {
  const introduction = `These are the calls of protected programs. Each request is bound to its reply by a signature, and bodies with secrets
are sealed, so there is no form to try them here. Use a [client](/docs/clients/python/), or read
[the client protocol](/docs/protocol/), which has [a worked example](/docs/protocol/#a-worked-example).

Every call can answer ${links(sharedProgramErrors())}; those with fields, also ${links(programFieldErrors())}.

The OpenAPI document is [\`/api/1.0/client/openapi.json\`](/api/1.0/client/openapi.json).`
  const description = 'Each call of protected programs with its headers, fields, reply, and errors.'
  return head(
    'Client API',
    description,
    'Client API',
    order,
  )([introduction, ...operations.map(clientSection)].join('\n\n'))
}

const cellOf = (operation: Operation, place: string): string[] => [
  `[${titleOf(operation)}](/docs/api/${place}/#${operation.id})`,
  `\`${operation.method} ${operation.path.replace('/api/1.0/seller', '')}\``,
]

function overviewPage(groups: readonly FilledGroup[], client: readonly Operation[]): string {
  const tables = groups.map(
    ({ slug, title, operations }) =>
      `### [${title}](/docs/api/${slug}/)\n\n${table(
        ['Call', 'Method and path'],
        operations.map((operation) => cellOf(operation, slug)),
      )}`,
  )
  const clientCalls = table(
    ['Call', 'Meaning'],
    client.map(({ id, path, summary }) => [
      `[\`${path.split('/').at(-1)}\`](/docs/api/client/#${id})`,
      firstSentence(summary),
    ]),
  )
  return head(
    'API reference',
    'Every call of the seller API and of the client API.',
    'Overview',
    0,
  )([introduction(), '## Calls of the seller API', ...tables, '## Calls of the client API', clientCalls].join('\n\n'))
}

const introduction =
  () => `The **seller API** is for shops, bots, scripts, and pipelines. The **client API** is for protected programs.
Their pages are made from the OpenAPI documents that this server offers:
[\`/api/1.0/seller/openapi.json\`](/api/1.0/seller/openapi.json) and
[\`/api/1.0/client/openapi.json\`](/api/1.0/client/openapi.json).

## Base address

Calls of the seller API start with \`$SIGNET_URL/api/1.0/seller\`, where \`$SIGNET_URL\` is the address of the server, such as
\`https://signet.example.com\`.

## The seller key

Send each call with the header \`Authorization: Bearer $SELLER_KEY\`. A key belongs to one app and has
[permissions](/docs/seller-api/#permissions). [The seller API](/docs/seller-api/) explains how you create, limit, and
[rotate](/docs/seller-api/#rotation) one, and how you [sell exactly once](/docs/seller-api/#sell-exactly-once).

## Try it

Each call of the seller API has a form below it, filled in with its example. It calls this server, with your key, and
changes your app. Enter the key at the top of a page: only the page's memory keeps it, until you leave or reload the
page. Browsers write the storage of a tab to disk to restore the tab later, so the key isn't there.

## Errors

A failed call answers with a status other than 200, a \`code\`, a \`message\`, and a \`requestId\`
([Answers](/docs/seller-api/#answers)). [All error codes](/docs/reference/errors/) have a page with cause and remedy. Every
call of the seller API can answer ${links(sharedSellerErrors())}.

Calls with fields or a body can also answer ${links(sellerFieldErrors())}.

## Rate limits

Each reply has the headers \`RateLimit-Limit\`, \`RateLimit-Remaining\`, and \`RateLimit-Reset\`; with 429, \`Retry-After\` says how
many seconds to wait. [Answers](/docs/seller-api/#answers) has the numbers.`

/** The pages: path within the site, and content. */
export function apiPages(
  seller: Document = sellerDocument(),
  client: Document = clientDocument(),
): Record<string, string> {
  const groups = grouped(operationsOf(seller))
  const clientOperations = operationsOf(client)
  return {
    'api/index.md': overviewPage(groups, clientOperations),
    ...Object.fromEntries(groups.map((group, index) => [`api/${group.slug}.md`, groupPage(group, index + 1)])),
    'api/client.md': clientPage(clientOperations, groups.length + 1),
  }
}
