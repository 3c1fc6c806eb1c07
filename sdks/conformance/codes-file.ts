import { readFileSync } from 'node:fs'

interface CodesFile {
  codes: Record<string, { verdict: string; message: Record<string, string> }>
}
/** The table that all clients are written from. */
export const { codes }: CodesFile = JSON.parse(readFileSync(new URL('../codes.json', import.meta.url), 'utf8'))
