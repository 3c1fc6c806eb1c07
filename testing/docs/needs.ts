import type { WebhookEvent } from '#features/webhooks/webhooks.rules.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { clientOptions } from '#testing/people/sdk-client.ts'
import { newSeller } from '#testing/people/sellers.ts'
import { freePort } from '#testing/servers/free-port.ts'
import { startReceiver } from '#testing/servers/webhook-receiver.ts'
import type { TestApp } from '#testing/start-test-app.ts'

/**
 * What the blocks of the documentation run against: an owner with the app Prism Studio of version 1.0.0 and two license
 * keys. A page asks for more with a comment on the line before a block, such as
 * `<!-- needs: variable welcome=Hello; public file notes.txt; after "Working" ban the license -->`:
 *
 * | Need | What it prepares |
 * |---|---|
 * | `variable NAME=VALUE` | a variable for signed-in users; with `public` before it, for everybody |
 * | `file NAME` | a file for signed-in users, as YOUR_FILE_ID; with `public` before it, for everybody |
 * | `version 2.0.0 at URL` | the version of the app, and its update link |
 * | `seller key`, `seller key SCOPE SCOPE` | YOUR_SELLER_KEY |
 * | `webhook` | a webhook for all programs, which answers `Hello from the webhook`. YOUR_WEBHOOK_ID |
 * | `webhook to URL for EVENT EVENT` | deliveries to the block itself, which listens on the URL's port. YOUR_WEBHOOK_SECRET |
 * | `ban the license` and all other actions below | the action, before the block runs |
 * | `after "TEXT" ban the license` | the action, once the block has printed a line with TEXT |
 */

export interface World {
  app: TestApp
  owner: OwnedApp
  license: string
  /** By placeholder. */
  values: Map<string, string>
  /** What happens once the block has printed a text, one after the other. */
  later: { text: string; action: () => Promise<unknown> }[]
  close: (() => Promise<void>)[]
}

async function asOwner<T>({ owner }: World, call: string, body: object, file?: File): Promise<T> {
  const answer = await owner.visitor.send<T>('POST', `/api/1.0/website/${call}`, { body, file })
  if (answer.status !== 200) throw new Error(`${call}: ${answer.status} ${answer.body.message}`)
  return answer.body
}

const actions: Record<string, (world: World) => Promise<unknown>> = {
  'ban the license': (world) => asOwner(world, 'toggle_ban_license', { licenseKey: world.license, banned: true }),
  'stop the server': stopServer,
  'start the server': ({ app }) => app.start(),
}

/** The other blocks need it again, whatever becomes of this one. */
async function stopServer({ app, close }: World): Promise<void> {
  await app.stop()
  close.push(async () => {
    if (!app.httpServer.listening) await app.start()
  })
}

type Prepare = (world: World, named: Record<string, string>) => Promise<unknown>

const needs: [pattern: RegExp, prepare: Prepare][] = [
  [
    /^(?<open>public )?variable (?<name>\S+?)=(?<value>.+)$/,
    (world, { open, name, value }) =>
      asOwner(world, 'modify_app_var', { variableName: name, variableData: value, authenticated: !open }),
  ],
  [/^(?<open>public )?file (?<name>\S+)$/, uploadFile],
  [
    /^version (?<version>\S+)(?: at (?<link>\S+))?$/,
    (world, { version, link }) =>
      asOwner(world, 'update_app', { version, ...(link && { settings: { autoUpdateDownloadLink: link } }) }),
  ],
  [
    /^seller key(?<scopes>(?: \S+)*)$/,
    async ({ app, owner, values }, { scopes = '' }) => {
      const permissions = scopes.split(' ').filter(Boolean)
      values.set('YOUR_SELLER_KEY', (await newSeller(app, owner, { permissions })).key)
    },
  ],
  [/^webhook$/, answeringWebhook],
  [/^webhook to (?<url>\S+) for (?<events>.+)$/, deliveringWebhook],
  [
    /^after "(?<text>[^"]+)" (?<name>.+)$/,
    async (world, { text = '', name = '' }) => {
      const action = actions[name]
      if (!action) throw new Error(`there is no action "${name}"`)
      world.later.push({ text, action: () => action(world) })
    },
  ],
]

async function uploadFile(world: World, { open, name = '' }: Record<string, string>) {
  const file = new File([`The contents of ${name}\n`.repeat(1000)], name)
  const body = { name, authenticated: !open }
  const upload = await asOwner<{ download: { downloadId: string } }>(world, 'downloads/upload', body, file)
  world.values.set('YOUR_FILE_ID', upload.download.downloadId)
}

async function newWebhook(world: World, body: { url: string; events?: WebhookEvent[] }): Promise<void> {
  type Reply = { webhookId: string; secret: string }
  const { webhookId, secret } = await asOwner<Reply>(world, 'create_webhook', { ...body, authenticated: false })
  world.values.set('YOUR_WEBHOOK_ID', webhookId).set('YOUR_WEBHOOK_SECRET', secret)
}

async function answeringWebhook(world: World) {
  const receiver = await startReceiver(world.app)
  world.close.push(() => receiver.close())
  receiver.answer = (response) => void response.end('Hello from the webhook')
  await newWebhook(world, { url: receiver.url })
}

/** The port of the URL in the page becomes a free one, here and in the block. */
async function deliveringWebhook(world: World, { url: shown = '', events = '' }: Record<string, string>) {
  const url = new URL(shown)
  const port = await freePort()
  world.values.set(url.port, String(port))
  url.port = String(port)
  const { outgoing } = world.app.services.config
  outgoing.loopbackPorts = [...(outgoing.loopbackPorts ?? []), port]
  await newWebhook(world, { url: url.href, events: events.split(' ') as WebhookEvent[] })
}

/** A new owner, with everything that a block needs. */
export async function newWorld(app: TestApp, wanted: readonly string[]): Promise<World> {
  const owner = await newOwnerWithApp(app, 'Prism Studio')
  const { ownerId, verificationKey, sealingKey } = await clientOptions(app, owner)
  const [license = '', other = ''] = await newLicenses(owner, 2)
  const values = new Map([
    ['YOUR_OWNER_ID', ownerId],
    ['YOUR_VERIFICATION_KEY', verificationKey],
    ['YOUR_SEALING_KEY', sealingKey],
    ['YOUR_LICENSE_KEY', license],
    ['YOUR_OTHER_LICENSE_KEY', other],
    ['http://127.0.0.1:8080', app.url],
  ])
  const world: World = { app, owner, license, values, later: [], close: [] }
  for (const need of wanted) await prepare(world, need)
  return world
}

async function prepare(world: World, need: string): Promise<void> {
  if (actions[need]) return void (await actions[need](world))
  for (const [pattern, meet] of needs) {
    const found = pattern.exec(need)
    if (found) return void (await meet(world, { ...found.groups }))
  }
  throw new Error(`testing/docs/needs.ts knows no need "${need}"`)
}
