import type { Calls } from '#contract/calls.ts'
import type { Scene, Story } from '../story.ts'
import { demoAdmin } from '../owners.ts'

const userPassword = 'Customer-4711'

/** What the owner, an administrator, and customers do with single users: each state of a user comes up. */
export function supportScenes(story: Story): Scene[] {
  const { scene } = story
  const names = ['helena.costa', 'mwatanabe', 'studio-lumen', 'r.okafor', 'jonas_b', 'petra.k', 'dmitri', 'late-payer']
  const register = async (username: string, license = '') => {
    const machine = await story.machine({ hwid: `home of ${username}` })
    await machine.start()
    await machine.register(username, userPassword, license)
  }
  const signIn = async (username: string, hwid = `home of ${username}`) => {
    const machine = await story.machine({ hwid })
    await machine.start()
    return machine.login(username, userPassword)
  }
  return [
    scene(27, async () => {
      const licenses = await story.licenses(names.length - 1, { notes: 'newsletter' })
      const [short] = await story.licenses(1, { subscription: 1, expiryUnit: 'days', duration: 14, notes: 'trial' })
      for (const [number, name] of names.entries()) await register(name, licenses[number] ?? short)
    }),
    scene(24.5, async () => {
      const [soon] = await story.licenses(1, { subscription: 1, expiryUnit: 'days', duration: 27, notes: 'trial' })
      await register('paula.m', soon)
    }),
    scene(10, () => changeUser(story, 'POST /toggle_pause_user', { username: 'petra.k', paused: true })),
    scene(8.3, () => judge(story)),
    scene(6.1, async () => {
      await signIn('dmitri')
      await changeUser(story, 'POST /toggle_ban_user', { username: 'dmitri', banned: true })
    }),
    scene(6, () => signIn('dmitri')),
    scene(4.2, async () => {
      const admin = await story.person(demoAdmin, { country: 'US' })
      const { owners } = await admin.make('GET /admin/owners', { query: { search: 'northwind' } })
      const id = owners[0]?.id ?? ''
      await admin.make('POST /admin/owners/{id}/plan', { params: { id }, body: { planType: 'Developer' } })
      await admin.make('POST /admin/owners/{id}/plan', { params: { id }, body: { planType: 'Pro' } })
    }),
    scene(2.4, async () => {
      const marina = await story.marina()
      await marina.make('POST /create_subscription', { body: { level: 4, name: 'Studio team', active: true } })
      await marina.make('POST /modify_app_var', { body: { variableName: 'feature-hdr', variableData: 'beta' } })
    }),
    scene(1.3, () => signIn('studio-lumen', 'new workstation')),
    scene(1.25, () => changeUser(story, 'POST /reset_user_hwid', { username: 'studio-lumen' })),
    scene(1.2, () => signIn('studio-lumen', 'new workstation')),
    scene(0.35, async () => {
      await signIn('late-payer')
      await signIn('petra.k')
      const machine = await story.machine()
      await machine.start({ version: '2.3.0' })
    }),
    scene(0.3, () => decideOnAlerts(story)),
    scene(0.12, () => signIn('helena.costa', 'laptop of helena')),
    scene(0.05, async () => {
      const machine = await story.machine({ hwid: 'home of jonas_b' })
      await machine.start()
      await machine.login('jonas_b', 'Costumer-4711')
      await machine.login('jonas_b', userPassword)
      await machine.send('log', { message: 'Export failed: GPU driver 531.2 is too old' })
    }),
  ]
}

type UserCall = 'POST /toggle_pause_user' | 'POST /toggle_ban_user' | 'POST /reset_user_hwid'

async function changeUser<K extends UserCall>(story: Story, call: K, body: Calls[K]['body']): Promise<void> {
  const marina = await story.marina()
  await marina.make(call, { body })
}

/** Bans and pauses a few of the latest users. */
async function judge(story: Story): Promise<void> {
  const marina = await story.marina()
  const { users } = await marina.make('GET /users', { query: { limit: 25 } })
  for (const [place, { username }] of users.entries()) {
    if (place % 9 === 2) await marina.make('POST /toggle_ban_user', { body: { username, banned: true } })
    if (place % 9 === 6) await marina.make('POST /toggle_pause_user', { body: { username, paused: true } })
  }
}

async function decideOnAlerts(story: Story): Promise<void> {
  const marina = await story.marina()
  const { data } = await marina.make('GET /alerts', { query: { appId: story.app.id } })
  for (const [place, { alertId: id }] of data.entries()) {
    if (place % 4 === 1) await marina.make('POST /alerts/{id}/review', { params: { id } })
    if (place % 4 === 2) await marina.make('POST /alerts/{id}/dismiss', { params: { id } })
  }
}
