import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { ClientCodes } from './client-codes/code-entry.ts'
import { cppCodesHeader, cppCodesTable } from './client-codes/cpp-codes.ts'
import { csharpCodes } from './client-codes/csharp-codes.ts'
import { pythonCodes } from './client-codes/python-codes.ts'
import { typescriptCodes } from './client-codes/typescript-codes.ts'

const sdks = new URL('../sdks/', import.meta.url)

export const readClientCodes = (): ClientCodes => JSON.parse(readFileSync(new URL('codes.json', sdks), 'utf8'))

/** The files written from sdks/codes.json: path within sdks, and content. */
export function clientCodeFiles({ codes }: ClientCodes): Record<string, string> {
  const entries = Object.entries(codes)
  return {
    'python/signet_client/codes.py': pythonCodes(entries),
    'typescript/src/codes.ts': typescriptCodes(entries),
    'csharp/src/Signet.Client/Generated/SignetCodes.cs': csharpCodes(entries),
    'cpp/include/signet/codes.h': cppCodesHeader(entries),
    'cpp/src/generated_codes.cpp': cppCodesTable(entries),
  }
}

/** Paths of the files that differ from what this tool writes. */
export function outdatedCodeFiles(): string[] {
  return Object.entries(clientCodeFiles(readClientCodes())).flatMap(([path, content]) => {
    const url = new URL(path, sdks)
    return existsSync(url) && readFileSync(url, 'utf8') === content ? [] : [`sdks/${path}`]
  })
}

function writeCodeFiles(): void {
  for (const [path, content] of Object.entries(clientCodeFiles(readClientCodes()))) {
    const file = fileURLToPath(new URL(path, sdks))
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  if (process.argv.includes('--check')) {
    const outdated = outdatedCodeFiles()
    for (const path of outdated) console.log(path)
    process.exitCode = outdated.length === 0 ? 0 : 1
  } else writeCodeFiles()
}
