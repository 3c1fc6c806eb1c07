import { outcomeOf } from './contract.ts'
import { Program } from './program.ts'
import type { Scenario } from './scenario.ts'
import { Stage } from './stage.ts'

export interface Result {
  scenario: Scenario
  got: string
  isOk: boolean
  /** Seconds. */
  took: number
}

export interface RunOptions {
  /** Programs that run at the same time. */
  jobs?: number
  /** A new program for each scenario, instead of one for many. */
  isFresh?: boolean
  /** Keeps a program after a failed scenario, although what it does next may be a consequence. */
  keepsFailed?: boolean
  onResult?: (result: Result) => void
}

/** Runs the scenarios against programs started with this command. */
export async function runScenarios(
  scenarios: readonly Scenario[],
  [command = '', ...args]: readonly string[],
  { jobs = 4, isFresh = false, keepsFailed = false, onResult }: RunOptions = {},
): Promise<Result[]> {
  const left = [...scenarios]
  const results: Result[] = []
  const worker = async (): Promise<void> => {
    let program: Program | undefined
    for (let scenario = left.shift(); scenario; scenario = left.shift()) {
      if (!program || program.hasEnded) program = new Program(command, args)
      const { result, isUsable } = await runScenario(scenario, program)
      results.push(result)
      onResult?.(result)
      if (isFresh || !isUsable || !(result.isOk || keepsFailed)) {
        await program.end(isUsable ? 5000 : 500)
        program = undefined
      }
    }
    await program?.end()
  }
  await Promise.all(Array.from({ length: Math.max(1, Math.min(jobs, left.length)) }, worker))
  return results.toSorted((a, b) => scenarios.indexOf(a.scenario) - scenarios.indexOf(b.scenario))
}

async function runScenario(scenario: Scenario, program: Program): Promise<{ result: Result; isUsable: boolean }> {
  const startedAt = performance.now()
  const stage = await Stage.open(program)
  const noise = program.noise.length
  let got = await perform(scenario, stage)
  const isUsable = await stage.close().catch(() => false)
  const mistakes = [...new Set(stage.server.violations)]
  if (program.noise.length > noise) mistakes.push(`printed ${program.noise.at(-1)}`)
  const isExpected = scenario.expected.includes(got)
  const isOk = isExpected && mistakes.length === 0
  if (mistakes.length > 0) got = [got, ...mistakes].join('; ')
  const took = (performance.now() - startedAt) / 1000
  return { result: { scenario, got, isOk, took }, isUsable }
}

async function perform({ create, run }: Scenario, stage: Stage): Promise<string> {
  try {
    if (create) {
      const answer = await stage.create(create)
      if (!answer.ok) return `create: ${outcomeOf(answer)} ${answer.message ?? ''}`
    }
    return await run(stage)
  } catch (error) {
    return (error as Error).message
  }
}
