import { heartbeatsBeside } from './heartbeats-beside.ts'
import { atLeast, type Figure } from './measurement.ts'
import type { ProgramFleet } from './program-fleet.ts'
import type { ServerProcess } from './server-process.ts'

interface ExportOf {
  server: ServerProcess
  fleet: ProgramFleet
  amount: number
  quick: boolean
}

const watchMs = 20

/** Export in both formats, the growth of the server's memory during it, and its effect on a running program. */
export async function measureExport({ server, fleet, amount, quick }: ExportOf): Promise<Figure[]> {
  const download = async (format: 'txt' | 'csv') => {
    const start = performance.now()
    const lines = await countLines(`${server.url}/api/1.0/website/export_licenses?format=${format}&download=true`, {
      cookie: fleet.owner.visitor.cookieHeader(),
      'x-app-id': fleet.owner.appId,
    })
    atLeast(amount, lines, `lines of ${format}`)
    return performance.now() - start
  }
  const txt = await growthDuring(server, () => download('txt'))
  const csv = await growthDuring(server, () => download('csv'))

  return [
    {
      name: 'export of a million, txt: memory growth',
      value: txt.anonymousMb,
      unit: 'MB',
      target: { max: 50 },
      note: 'without mapped file pages',
    },
    {
      name: 'export of a million, csv: memory growth',
      value: csv.anonymousMb,
      unit: 'MB',
      target: { max: 50 },
      note: 'without mapped file pages',
    },
    { name: 'export txt: resident growth', value: txt.residentMb, unit: 'MB', note: 'with pages of the database file' },
    { name: 'export txt', value: txt.result / 1000, unit: 's' },
    { name: 'export csv', value: csv.result / 1000, unit: 's' },
    ...(await heartbeatsBeside({ fleet, quick, download: () => download('csv') })),
  ]
}

async function growthDuring<T>(server: ServerProcess, work: () => Promise<T>) {
  const before = server.memory()
  const max = { ...before }
  const timer = setInterval(() => {
    const { residentMb, anonymousMb } = server.memory()
    max.residentMb = Math.max(max.residentMb, residentMb)
    max.anonymousMb = Math.max(max.anonymousMb, anonymousMb)
  }, watchMs)
  try {
    const result = await work()
    return {
      result,
      residentMb: max.residentMb - before.residentMb,
      anonymousMb: max.anonymousMb - before.anonymousMb,
    }
  } finally {
    clearInterval(timer)
  }
}

async function countLines(url: string, headers: Record<string, string>): Promise<number> {
  const response = await fetch(url, { headers })
  if (response.status !== 200 || !response.body) throw new Error(`The export answered ${response.status}`)
  let lines = 0
  for await (const chunk of response.body) for (const byte of chunk as Uint8Array) if (byte === 10) lines += 1
  return lines
}
