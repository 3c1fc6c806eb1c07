import type { DemoApp } from '../owners.ts'
import { addressIn } from '../places.ts'
import type { Scene, Story } from '../story.ts'
import { seededRandom } from '../random.ts'

const hour = 1 / 24
const minute = hour / 60
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz0123456789'

/** In the last hours, three addresses guess keys and run a changed program, and one license is used in several countries. */
export function attackScenes(story: Story, other: DemoApp): Scene[] {
  const { scene } = story
  const random = seededRandom(99)
  const guess = () =>
    '####-####-####-####'.replaceAll('#', () => alphabet[Math.floor(random() * alphabet.length)] ?? 'A')
  const attackers = [0, 1, 2].map((number) => ({ ip: addressIn('KR', 20 + number), hwid: `attacker ${number}` }))
  const guesses = Array.from({ length: 18 }, (_, round) =>
    scene(5.5 * hour - round * 17 * minute, async () => {
      const attacker = attackers[round % attackers.length]
      const machine = await story.machine(attacker)
      await machine.start()
      for (let tries = 0; tries < 4; tries++) await machine.license(guess())
    }),
  )
  return [...guesses, ...knownElsewhere(story, { other, attackers }), ...changedProgram(story), ...sharedLicense(story)]
}

/** The attackers have a license of another app. */
const knownElsewhere = (
  story: Story,
  { other, attackers }: { other: DemoApp; attackers: { ip: string; hwid: string }[] },
): Scene[] => [
  story.scene(1.1, async () => {
    const marina = await story.marina()
    const body = { amount: attackers.length, subscription: 1, expiryUnit: 'days' as const, duration: 7 }
    marina.appId = other.id
    const { licenses } = await marina.make('POST /create_licenses', { body })
    for (const [number, attacker] of attackers.entries()) {
      const machine = await story.machine({ ...attacker, app: other })
      await machine.start()
      await machine.license(licenses[number] ?? '')
    }
  }),
]

const changedProgram = (story: Story): Scene[] =>
  [4.1, 3.4, 2.2, 1.5].map((hoursAgo) =>
    story.scene(hoursAgo * hour, async () => {
      const machine = await story.machine({ ip: addressIn('KR', 20), hwid: 'attacker 0' })
      await machine.start({ hash: 'ab'.repeat(32) })
    }),
  )

const sharedLicense = (story: Story): Scene[] => {
  let license = ''
  const use = async (country: string) => {
    const machine = await story.machine({ hwid: 'shared machine', ip: addressIn(country, 9) })
    await machine.start()
    await machine.license(license)
  }
  return [
    story.scene(2.1, async () => {
      const [made = ''] = await story.licenses(1, { notes: 'review copy' })
      license = made
      await use('PL')
    }),
    story.scene(5 * hour, () => use('PL')),
    story.scene(4.5 * hour, () => use('JP')),
    story.scene(4.2 * hour, () => use('CL')),
  ]
}
