import { startTestApp } from '#testing/start-test-app.ts'
import { timeOf } from './percentiles.ts'

/** How long the app that every test starts takes, several times in one process as a test run does. */
const times: number[] = []
for (let round = 0; round < 8; round++) {
  let close = async () => {}
  times.push(await timeOf(async () => (close = (await startTestApp()).close)))
  await close()
}
process.send?.(times)
process.disconnect()
