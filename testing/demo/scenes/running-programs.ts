import type { Machine } from '../people.ts'
import type { Scene, Story } from '../story.ts'

const minute = 1 / 1440
const running = 14

/** Programs that run at the end of the demo, some of which load a file. */
export function runningScenes(story: Story): Scene[] {
  const machines: Machine[] = []
  let licenses: string[] = []
  return [
    story.scene(58 * minute, async () => {
      licenses = await story.licenses(running, { notes: 'autumn sale' })
    }),
    ...Array.from({ length: running }, (_, number) =>
      story.scene((55 - number * 3.9) * minute, async () => {
        const machine = await story.machine()
        machines.push(machine)
        await machine.start()
        await machine.license(licenses[number] ?? '')
        if (number % 3 === 0) await loadFile(story, machine)
      }),
    ),
    story.scene(2 * minute, async () => {
      for (const machine of machines) await machine.heartbeat()
    }),
  ]
}

async function loadFile(story: Story, machine: Machine): Promise<void> {
  const { downloads } = await (await story.marina()).make('GET /downloads')
  for (const { downloadId } of downloads.slice(0, 2)) {
    const { body } = await machine.send('download', { id: downloadId })
    const response = await fetch(`${story.server.url}${String(body['url'])}`)
    await response.arrayBuffer()
  }
}
