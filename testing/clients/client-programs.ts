import { resolve } from 'node:path'

/** The conformance program of a client library (sdks/conformance/README.md). */
export interface ClientProgram {
  language: string
  /** Undefined where the toolchain is missing; `npm test` says so. */
  command: string[] | undefined
}

/** The command that `npm test` built, as JSON. */
const built = (variable: string): string[] | undefined => {
  const text = process.env[variable]
  return text ? (JSON.parse(text) as string[]) : undefined
}

export const clientPrograms = (): ClientProgram[] => [
  {
    language: 'Python',
    command: [process.env['SIGNET_PYTHON'] ?? 'python3', resolve('sdks/python/tests/conformance_program.py')],
  },
  { language: 'TypeScript', command: [process.execPath, resolve('sdks/typescript/conformance-program.ts')] },
  { language: 'C#', command: built('SIGNET_CSHARP_PROGRAM') },
  { language: 'C++', command: built('SIGNET_CPP_PROGRAM') },
]
