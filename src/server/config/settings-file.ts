import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { OperatorError } from '#database/operator-error.ts'

export interface SettingsFile {
  /** In the order of the file. */
  names: string[]
  /** Lines that set nothing, or not what they seem to; without their content, which may be secret. */
  problems: string[]
}

/**
 * Adds the settings in `.env` of the current folder, if there is one, to the environment, which takes precedence unless
 * it is empty there.
 *
 * @throws {OperatorError} if it can't be read
 */
export function loadSettingsFile(): SettingsFile {
  const text = readText()
  const settings = parseEnv(text)
  for (const [name, value] of Object.entries(settings)) process.env[name] ||= value
  return { names: Object.keys(settings), problems: lineProblems(text) }
}

/** Empty without the file. */
function readText(): string {
  const bytes = readBytes()
  // As editors and shells of Windows write it: the parser would find no setting, without an error.
  const isUtf16 = bytes.includes(0)
  try {
    // Leaves out a byte order mark, which would be part of the first name.
    if (!isUtf16) return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {}
  throw new OperatorError(`.env must be in UTF-8, but ${isUtf16 ? 'is in UTF-16' : "isn't"}: save it again as UTF-8`)
}

function readBytes(): Buffer {
  try {
    return readFileSync('.env')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return Buffer.alloc(0)
    if (code === 'EISDIR') throw new OperatorError('.env must be a file, but is a folder')
    throw new OperatorError(`.env can't be read by the user that Signet runs as (${code ?? message})`)
  }
}

/** A value in quotes may have several lines. */
const quoted = /=[ \t]*(?:"[^"]*"|'[^']*'|`[^`]*`)/g

function lineProblems(text: string): string[] {
  const lines = text.replace(quoted, (value) => `= ${value.replace(/[^\n]/g, '')}`).split('\n')
  return lines.flatMap((each, index) => {
    const line = each.trim()
    if (line === '' || line.startsWith('#')) return []
    const equals = line.indexOf('=')
    if (equals < 1) return [`Line ${index + 1} of .env is not NAME=value: it sets nothing`]
    const value = line.slice(equals + 1).trimStart()
    if (/^["'`]/.test(value))
      return [`Line ${index + 1} of .env has a quote that isn't closed: it is part of the value`]
    if (startsCommentInside(line.slice(equals + 1)))
      return [
        `Line ${index + 1} of .env has a # without quotes around the value: what follows is a comment and no part of it`,
      ]
    return []
  })
}

/** The parser ends the value at any `#`, also where none seems to begin a comment. */
function startsCommentInside(rest: string): boolean {
  const at = rest.indexOf('#')
  return at >= 0 && !/[ \t]/.test(rest[at - 1] ?? '')
}
