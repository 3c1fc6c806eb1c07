import { afterEach, expect, test } from 'vitest'
import { newLog } from '#server/log/log.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp | undefined
afterEach(() => app?.close())

async function warningsWith(defaultPlan: string): Promise<string[]> {
  const warnings: string[] = []
  const log = newLog('warn', {
    write(line: string) {
      const { level, msg } = JSON.parse(line) as { level: number; msg: string }
      if (level === 40) warnings.push(msg)
    },
  })
  app = await startTestApp({ config: { defaultPlan }, log })
  return warnings
}

test('a default plan that does not exist is a warning at the start, with the plans that do', async () => {
  expect(await warningsWith('developer')).toEqual([
    'DEFAULT_PLAN developer is no plan, so new owners have Free. The plans are: Free, Developer, Pro',
  ])
})

test.each(['Free', 'Developer', 'Unlimited'])('the plan %s is none', async (name) => {
  expect(await warningsWith(name)).toEqual([])
})
