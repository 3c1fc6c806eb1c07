import type { PageError, DashboardOnlyError } from '../error-codes.ts'
import { number } from '../page.ts'

export interface Limit {
  what: string
  value: string
  /** The error above the limit. */
  code?: PageError | DashboardOnlyError
  setting?: string
}

export const characters = (max: number, min = 0): string =>
  min > 0 ? `${number(min)} to ${number(max)} characters` : `${number(max)} characters`

export const range = (min: number, max: number, unit = ''): string =>
  `${number(min)} to ${number(max)}${unit && ` ${unit}`}`

export const perMinute = (max: number): string => `${number(max)} a minute`
export const perHour = (max: number): string => `${number(max)} an hour`
export const kib = (bytes: number): string => `${number(bytes / 1024)} KiB`
