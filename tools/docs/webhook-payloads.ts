import { downloadCounts } from '#features/downloads/download-counts.ts'
import { type WebhookEvent, webhookEvents } from '#features/webhooks/webhooks.rules.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { startReceiver } from '#testing/servers/webhook-receiver.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

/** Payloads of a real server that did what each event announces. */

export interface Payload {
  type: WebhookEvent
  timestamp: string
  data: { appId: string; target: string; details: Record<string, unknown> }
}

/** Random values of a run, and what the page shows instead, so that each run makes the same page. */
class Replacements {
  readonly #shown = new Map<string, string>()

  add(value: string, shown: string): void {
    this.#shown.set(value, shown)
  }

  in(text: string): string {
    const replaced = [...this.#shown].reduce((text, [value, shown]) => text.replaceAll(value, shown), text)
    return replaced
      .replaceAll(/alert_\w{16}/g, 'alert_4t7Qm2XcVb9KpR1s')
      .replaceAll(/batch_\w{16}/g, 'batch_Xn5Rb8LqW2cT7yKd')
  }
}

const shownKeys = ['fJ4x-81Rw-Qz0P-x7Lk', '7Qm2-XcVb-9KpR-1sTd', 'Ua3n-0YhG-6WeF-Zi8o', 'bN5v-Lq1M-cS9t-2DkJ']
const shownTime = '2026-11-23T12:00:00.000Z'
const customer = 'ana'
const password = 'Correct7Horse'
const day = 86_400

interface Stage {
  app: TestApp
  owner: OwnedApp
  replacements: Replacements
}

/** License actions: created, banned, unbanned, and deleted, one and several at a time. */
async function changeLicenses({ owner, replacements }: Stage): Promise<void> {
  const { visitor } = owner
  const [licenseKey = ''] = await newLicenses(owner, 1)
  replacements.add(licenseKey, shownKeys[0] ?? '')
  await visitor.call('POST /toggle_ban_license', { body: { licenseKey } })
  await visitor.call('POST /toggle_ban_license', { body: { licenseKey } })
  await visitor.call('POST /delete_license', { body: { licenseKey } })
  const two = await newLicenses(owner, 2)
  await visitor.call('POST /add_time_licenses', { body: { licenses: two, expiryUnit: 'days', duration: 30 } })
  for (const [index, key] of two.entries()) replacements.add(key, shownKeys[index + 1] ?? '')
  await visitor.call('POST /licenses/bulk', { body: { action: 'ban', licenses: two } })
}

async function changeUser({ owner }: Stage): Promise<void> {
  const { visitor } = owner
  const body = { username: customer }
  await visitor.call('POST /create_user', { body: { ...body, password } })
  await visitor.call('POST /user/{username}/subscriptions', { params: body, body: { level: 1 } })
  const time = { usernames: [customer], subscription: 1, duration: 30, unit: 'days' as const }
  await visitor.call('POST /bulk_extend_users', { body: time })
  await visitor.call('POST /reset_user_hwid', { body })
  await visitor.call('POST /toggle_pause_user', { body })
  await visitor.call('POST /toggle_pause_user', { body })
  await visitor.call('POST /toggle_ban_user', { body })
  await visitor.call('POST /toggle_ban_user', { body })
  await visitor.call('POST /delete_user', { body })
}

/** A customer redeems keys on one machine, until an alert is raised, and enters a key that does not exist. */
async function runProgram({ app, owner, replacements }: Stage): Promise<void> {
  const program = await Program.of(app, owner)
  await program.init()
  await program.license(shownKeys[0] ?? '')
  for (const key of await newLicenses(owner, 4)) {
    replacements.add(key, shownKeys[3] ?? '')
    await program.license(key)
  }
  await owner.visitor.call('POST /alerts/run-detection', { body: {} })
}

/** The program of a customer downloads a file. */
async function download({ app, owner, replacements }: Stage): Promise<void> {
  const file = new File(['The new version'], 'setup.exe')
  const { body } = await owner.visitor.call('POST /downloads/upload', { body: { name: 'Installer' }, file })
  const { downloadId } = body.download
  replacements.add(downloadId, 'rT6wZ1kD9mQx4VbS8nHc2J')
  const [key = ''] = await newLicenses(owner, 1)
  replacements.add(key, shownKeys[3] ?? '')
  const program = await Program.of(app, owner)
  await program.init()
  await program.license(key)
  const { url } = (await program.send('download', { id: downloadId })).body as unknown as { url: string }
  await (await fetch(app.url + url)).arrayBuffer()
  await downloadCounts(app.services).flush()
}

/** The time of a customer ends. Nobody is signed in afterwards. */
async function endTime({ app, owner }: Stage): Promise<void> {
  const body = { username: customer }
  await owner.visitor.call('POST /create_user', { body: { ...body, password } })
  await owner.visitor.call('POST /user/{username}/subscriptions', { params: body, body: { level: 1, duration: 1 } })
  app.advance(100)
  await app.jobsDone()
  app.advance(day)
}

/** The machine of an alert is a hash with a key of the server. */
function showMachine(payload: Payload): Payload {
  const { details } = payload.data
  if (payload.type === 'alert.raised' && typeof details['key'] === 'string') details['key'] = 'c41f09d2a7'
  return payload
}

/** All payloads in the order in which they were made. */
export async function webhookPayloads(): Promise<Payload[]> {
  const app = await startTestApp()
  const receiver = await startReceiver(app)
  try {
    const owner = await newOwnerWithApp(app, 'My App')
    const replacements = new Replacements()
    replacements.add(owner.appId, 'app_Yk3vQ8mT1xZc')
    replacements.add('127.0.0.1', '203.0.113.7')
    await owner.visitor.call('POST /create_webhook', { body: { url: receiver.url, events: [...webhookEvents] } })
    for (const step of [changeLicenses, changeUser, runProgram, download, endTime]) {
      await step({ app, owner, replacements })
      // Deliveries keep the order of the steps.
      await app.jobsDone()
    }
    return receiver.received
      .map(({ body }) => JSON.parse(replacements.in(body)) as Payload)
      .map((payload) => showMachine({ ...payload, timestamp: shownTime }))
  } finally {
    await receiver.close()
    await app.close()
  }
}
