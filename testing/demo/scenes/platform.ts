import type { Database } from '#database/database.ts'
import { insertJob } from '#server/jobs/jobs.ts'
import { type DemoApp, demoAdmin, makeOwner, type MakingOwners } from '../owners.ts'
import { bannedRegistration, endingRegistration, registrations } from '../registrations.ts'
import type { Scene, Story } from '../story.ts'

const day = 86_400

/** What the administrator sees: owners who register, one who is banned, a plan that ends, and jobs that failed. */
export function platformScenes(story: Story, apps: DemoApp[], making: MakingOwners): Scene[] {
  const { scene } = story
  const ownerId = async (username: string) => {
    const admin = await story.person(demoAdmin, { country: 'US' })
    const { owners } = await admin.make('GET /admin/owners', { query: { search: username } })
    return { admin, id: owners[0]?.ownerid ?? '' }
  }
  return [
    ...registrations.map((owner) =>
      scene(owner.age, async () => {
        const registered = making.now - owner.age * day
        apps.push(...(await makeOwner(making, { owner, registered, appsAt: registered + 600, number: apps.length })))
      }),
    ),
    scene(9, async () => {
      const { admin, id } = await ownerId(bannedRegistration)
      await admin.make('POST /admin/owners/{id}/ban', { params: { id }, body: { banned: true } })
    }),
    scene(4.1, async () => {
      const { admin, id } = await ownerId(endingRegistration)
      const body = { planType: 'Developer', planExpiresAt: Math.floor(making.now + 5 * day) }
      await admin.make('POST /admin/owners/{id}/plan', { params: { id }, body })
    }),
    scene(0.4, () => failDetection(making.platform.db, apps.slice(-3), making.now)),
  ]
}

const maxAttempts = 20

/** As if the database had been too slow: they can be retried. */
const failDetection = (db: Database, apps: readonly DemoApp[], now: number) =>
  db.write(async (tx) => {
    for (const { id } of apps) {
      const createdAt = now - Math.floor(0.6 * day)
      await insertJob(tx, { kind: 'alerts', lane: id, payload: null, dueAt: createdAt }, createdAt)
      await tx.db
        .updateTable('jobs')
        .set({ failed_at: now - Math.floor(0.4 * day), attempts: maxAttempts, error: 'The statement timed out' })
        .where('kind', '=', 'alerts')
        .where('lane', '=', id)
        .execute()
    }
  })
