import { demoPassword, type Scene, type Story } from '../story.ts'
import { Person } from '../people.ts'
import { addressIn } from '../places.ts'

interface DemoReseller {
  username: string
  country: string
  /** Days ago. */
  since: number
  credits: number
  planCosts: Record<string, number>
  /** Days ago and amount of each sale. */
  sales: readonly (readonly [daysAgo: number, amount: number])[]
  /** Days ago and credits of each payment. */
  payments: readonly (readonly [daysAgo: number, credits: number])[]
}

const resellers: readonly DemoReseller[] = [
  {
    username: 'nora',
    country: 'DE',
    since: 58,
    credits: 300,
    planCosts: { '30': 10, '90': 25, '365': 80 },
    sales: [
      [57, 4],
      [50, 3],
      [44, 6],
      [36, 5],
      [29, 2],
      [22, 8],
      [15, 4],
      [9, 6],
      [4, 5],
      [1.2, 7],
      [0.3, 3],
    ],
    payments: [
      [43, 100],
      [21, 150],
      [6, 200],
    ],
  },
  {
    username: 'pixelhaus',
    country: 'US',
    since: 40,
    credits: 200,
    planCosts: { '30': 8, '365': 60 },
    sales: [
      [38, 5],
      [30, 3],
      [20, 4],
      [13, 6],
      [5, 2],
      [0.8, 1],
    ],
    payments: [
      [18, 80],
      [2, 60],
    ],
  },
  {
    username: 'chaves_do_tiago',
    country: 'PT',
    since: 16,
    credits: 60,
    planCosts: { '7': 3, '30': 9 },
    sales: [
      [14, 2],
      [7, 3],
    ],
    payments: [],
  },
]

/** Resellers who sell for weeks; one of them takes back many licenses, which raises an alert. */
export function resellerScenes(story: Story): Scene[] {
  return [...resellers.flatMap((reseller) => scenesOf(story, reseller)), story.scene(0.2, () => invite(story))]
}

function scenesOf(story: Story, { username, country, ...known }: DemoReseller): Scene[] {
  const { scene, app } = story
  const appName = app.name
  let id = ''
  const [short = '30', long = short] = Object.keys(known.planCosts)
  const sell = async (amount: number, plan = amount > 2 ? short : long) => {
    const reseller = await story.person(username, { country })
    return reseller.make('POST /reseller/licenses/create', { body: { appName, plan, amount } })
  }
  const redeemOne = async (license = '') => {
    const machine = await story.machine()
    await machine.start()
    await machine.license(license)
  }
  return [
    scene(known.since, async () => {
      id = await hire(story, { username, country, ...known })
    }),
    ...known.payments.map(([daysAgo, amount]) =>
      scene(daysAgo, async () => {
        const marina = await story.marina()
        await marina.make('POST /resellers/{id}/credits/add', { params: { id }, body: { appName, amount } })
      }),
    ),
    ...known.sales.map(([daysAgo, amount]) =>
      scene(daysAgo, async () => {
        const { licenses } = await sell(amount)
        for (const license of licenses.slice(0, Math.ceil(amount / 2))) await redeemOne(license)
      }),
    ),
    ...(username === 'chaves_do_tiago' ? [scene(0.5, () => takeBack(story, { username, country, sell }))] : []),
  ]
}

/** Creates a reseller, who opens the setup link on the same day. */
async function hire(story: Story, { username, country, credits, planCosts }: Omit<DemoReseller, 'sales' | 'payments'>) {
  const marina = await story.marina()
  const { reseller, registrationToken } = await marina.make('POST /resellers/create', { body: { username } })
  const offer = { appName: story.app.name, credits, planCosts, allowedPlans: Object.keys(planCosts) }
  await marina.make('POST /resellers/{id}/apps', { params: { id: reseller.id }, body: offer })
  const newcomer = new Person(story.server, addressIn(country, 7))
  await newcomer.make('POST /reseller/setup/{registrationToken}', {
    params: { registrationToken },
    body: { email: `${username}@example.com`, password: demoPassword },
  })
  return reseller.id
}

interface Seller {
  username: string
  country: string
  sell: (amount: number, plan?: string) => Promise<{ licenses: string[] }>
}

async function takeBack(story: Story, { username, country, sell }: Seller): Promise<void> {
  const { licenses } = await sell(10, '7')
  const reseller = await story.person(username, { country })
  for (const id of licenses) await reseller.make('DELETE /reseller/licenses/{id}', { params: { id } })
}

/** A reseller who has not opened the setup link yet. */
async function invite(story: Story): Promise<void> {
  const marina = await story.marina()
  await marina.make('POST /resellers/create', { body: { username: 'kiosk24' } })
}
