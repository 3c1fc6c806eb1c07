import { writeSync } from 'node:fs'
import pino, { type DestinationStream, type Logger, type LoggerOptions } from 'pino'
import { LogOutput } from './log-output.ts'
import { RepeatedLines, type Schedule } from './repeated-lines.ts'

/** Fields with secrets, redacted wherever an object is logged. */
const secrets = [
  'password',
  'currentPassword',
  'newPassword',
  'token',
  'authorization',
  'cookie',
  'sellerKey',
  'licenseKey',
  'setupToken',
]

const warning = 40

/** Its disk may be full, too. */
function toStandardError(line: string): void {
  try {
    writeSync(2, `${line}\n`)
  } catch {}
}

/**
 * JSON lines on standard output; line breaks in values are escaped, so that no value can forge a line.
 * `schedule` decides when repeated failures are counted; a parameter for tests.
 */
export function newLog(level: string, destination?: DestinationStream, schedule?: Schedule): Logger {
  const repeated = new RepeatedLines(schedule)
  const options: LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: secrets.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[secret]' },
    hooks: {
      logMethod(args, write, severity) {
        if (severity < warning) return write.apply(this, args)
        return repeated.logMethod(this, args, write)
      },
    },
  }
  if (destination) return pino(options, destination)
  const output = new LogOutput(1, toStandardError)
  process.once('exit', () => {
    output.end()
    repeated.flush()
  })
  return pino(options, output)
}
