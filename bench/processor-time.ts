import { readdirSync, readFileSync } from 'node:fs'

/** Fields of a process in /proc, from its state on; undefined once it has ended. */
function fieldsOf(pid: number | string): string[] | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')
  } catch {
    return undefined
  }
}

/** CPU time of all threads of a process so far, in milliseconds. */
export function cpuMs(pid: number | string): number {
  const fields = fieldsOf(pid) ?? []
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * 10
}

/** The same of a process and those that it started, of which none may end in between. */
export function cpuMsOfFamily(pid: number): number {
  const children = readdirSync('/proc').filter((each) => /^\d+$/.test(each) && Number(fieldsOf(each)?.[1]) === pid)
  return [String(pid), ...children].reduce((sum, each) => sum + cpuMs(each), 0)
}
