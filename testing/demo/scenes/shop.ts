import type { Scene, Story } from '../story.ts'
import { demoHash } from '../people.ts'
import { addressIn } from '../places.ts'

/** The owner's variables, files and seller keys, and what a shop sells with such a key. */
export function shopScenes(story: Story): Scene[] {
  const { scene } = story
  let key = ''
  const sell = async (amount: number, notes: string) => {
    const response = await fetch(`${story.server.url}/api/1.0/seller/licenses`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'x-forwarded-for': addressIn('NL', 3),
      },
      body: JSON.stringify({ amount, subscription: 1, expiryUnit: 'days', duration: 30, notes }),
    })
    if (response.status !== 200) throw new Error(`A shop of the demo could not sell: ${await response.text()}`)
    return (await response.json()) as { licenses: string[] }
  }
  return [
    scene(62.1, () => lockProgramFile(story)),
    scene(62, () => makeVariables(story)),
    scene(61.9, () => uploadFiles(story)),
    scene(61.8, async () => {
      key = await makeSellerKeys(story)
    }),
    ...[55, 41, 33, 26, 19, 12, 8, 5, 3, 1.6, 0.9, 0.4].map((daysAgo, sale) =>
      scene(daysAgo, async () => {
        const { licenses } = await sell(1 + (sale % 3), `order ${10_480 + sale * 37}`)
        const machine = await story.machine()
        await machine.start()
        await machine.license(licenses[0] ?? '')
      }),
    ),
  ]
}

async function lockProgramFile(story: Story): Promise<void> {
  const marina = await story.marina()
  const settings = { hashCheck: true, hashToCheck: demoHash }
  await marina.make('POST /update_app', { body: { appId: story.app.id, settings } })
}

const variables: Readonly<Record<string, string>> = {
  'render-server': 'https://render.prism.example',
  'max-resolution': '7680x4320',
  motd: 'Version 2.5 brings HDR export. Thank you for testing!',
  'feature-hdr': 'true',
  'support-mail': 'help@prism.example',
}

async function makeVariables(story: Story): Promise<void> {
  const marina = await story.marina()
  for (const [variableName, variableData] of Object.entries(variables)) {
    const authenticated = variableName !== 'motd'
    await marina.make('POST /modify_app_var', { body: { variableName, variableData, authenticated } })
  }
}

const files = [
  { name: 'prism-studio-2.4.1-setup.exe', description: 'Installer for Windows', kilobytes: 900, authenticated: false },
  { name: 'brushes-founder.zip', description: 'Brushes for Founder', kilobytes: 260, authenticated: true },
  { name: 'release-notes.txt', description: '', kilobytes: 3, authenticated: false },
]

async function uploadFiles(story: Story): Promise<void> {
  const marina = await story.marina()
  for (const { name, description, kilobytes, authenticated } of files) {
    const file = new File([new Uint8Array(kilobytes * 1000).fill(80)], name)
    // A file is sent as a form, whose fields are texts.
    const body = { name, description, authenticated }
    await marina.make('POST /downloads/upload', { body, file })
  }
}

async function makeSellerKeys(story: Story): Promise<string> {
  const marina = await story.marina()
  const make = (keyName: string, permissions: string[], whitelistedIPs: string[] = []) =>
    marina.make('POST /create_seller_key', { body: { keyName, permissions, whitelistedIPs } })
  const { sellerKey } = await make('Web shop', ['licenses:read', 'licenses:write'], [addressIn('NL', 3)])
  await make('Discord bot', ['users:read', 'users:write', 'stats:read'])
  const old = await make('Import of 2024', [])
  await marina.make('POST /toggle_seller_key_status', {
    body: { sellerKey: old.sellerKey.slice(8, 16), status: 'paused' },
  })
  return sellerKey
}
