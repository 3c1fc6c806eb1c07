import pino, { type DestinationStream, type Logger } from 'pino'

/** Fields that would give something away, wherever an object is logged (R-LOG-03). */
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

/** JSON lines on standard output; line breaks in values are escaped, so no value can forge a line (R-LOG-04). */
export function newLog(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: secrets.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[secret]' },
  }
  return destination ? pino(options, destination) : pino(options)
}
