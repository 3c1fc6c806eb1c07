import { clientBodies, type ClientCall } from '#features/client-api/client-calls.ts'
import { features } from '#features.ts'
import { newCaller } from '#testing/people/new-caller.ts'
import { newLicenses, newOwnerWithApp } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { type JsonSchema, sampleInput, smallest } from '#testing/sample-input.ts'
import type { TestApp } from '#testing/start-test-app.ts'
import type { SeededRandom } from '../../bench/seeded-random.ts'
import { mutatedInput } from './mutated-input.ts'

interface FuzzRequest {
  /** For the report. */
  input: unknown
  send: () => Promise<{ status: number; body: unknown }>
}

/** A call with a new caller who may make it. */
export interface FuzzTarget {
  name: string
  open: () => Promise<{ next: (random: SeededRandom) => FuzzRequest }>
}

export function fuzzTargets(app: TestApp): FuzzTarget[] {
  const contractCalls = features.flatMap(({ endpoints }) => endpoints.map(({ call }) => call))
  return [
    ...contractCalls.map((call) => ({
      name: `${call.method} ${call.path}`,
      open: async () => {
        const { objects, send } = await newCaller(app, call)
        const { params, query, body } = sampleInput(call, objects)
        const valid = { params: params as Record<string, unknown> | undefined, query, body }
        return {
          next: (random: SeededRandom) => {
            const { headers, ...input } = mutatedInput(valid, random, call.method)
            return { input: { headers, ...input }, send: () => send(input, headers) }
          },
        }
      },
    })),
    ...(Object.keys(clientBodies) as ClientCall[]).map((call) => clientTarget(app, call)),
  ]
}

/** A signed-in program. Its headers are valid except for a few, so that the body is tested. */
function clientTarget(app: TestApp, call: ClientCall): FuzzTarget {
  return {
    name: `client ${call}`,
    async open() {
      const owner = await newOwnerWithApp(app)
      const [key = '', another = ''] = await newLicenses(owner, 2)
      const program = await Program.of(app, owner)
      await program.init()
      await program.license(key)
      const sample = smallest(clientBodies[call] as JsonSchema) as Record<string, unknown>
      const named = { key, licenseKey: another, version: '1.0.0', username: key, hwid: program.hwid }
      const body = { ...sample, ...Object.fromEntries(Object.entries(named).filter(([name]) => name in sample)) }
      return {
        next(random) {
          const input = mutatedInput({ params: undefined, query: undefined, body }, random, 'POST')
          const raw = typeof input.body === 'string' ? input.body : (JSON.stringify(input.body) ?? '')
          const odd =
            random.below(10) === 0 ? { [`x-signet-${random.pick(signedHeaders)}`]: random.pick(oddValues) } : {}
          const headers = { ...input.headers, ...odd }
          return {
            input: { raw, headers },
            send: () => program.send(call, undefined, { raw, headers, unsigned: true }),
          }
        },
      }
    },
  }
}

const signedHeaders = ['app', 'nonce', 'time', 'session']
const oddValues = ['', 'x', '0', '9'.repeat(15), 'A'.repeat(43), 'AAAAAAAAAA/%zz', '-1', `${'A'.repeat(10)}/App`]
