import { countryFile } from '../country-file.ts'

/** Each has 4,096 addresses of 198.18.0.0/15, which no network on the internet uses (RFC 2544). */
const countries = 'BR US DE PT MX GB FR ES AR CA PL IN BR US NL IT JP CL CO US BR DE GB KR'.split(' ')
const prefixLength = 20
const addressesEach = 2 ** (32 - prefixLength)

const addressOf = (place: number, number: number): string => {
  const offset = place * addressesEach + number
  return `198.${18 + (offset >> 16)}.${(offset >> 8) & 255}.${offset & 255}`
}

export interface Place {
  ip: string
  country: string
}

/** The address of a customer, the same each time. */
export function placeOf(customer: number): Place {
  const place = (customer * 7) % countries.length
  return { ip: addressOf(place, 1 + ((customer * 613) % (addressesEach - 2))), country: countries[place] ?? '' }
}

/** An address in a country. */
export const addressIn = (country: string, number: number): string =>
  addressOf(countries.indexOf(country), 1 + ((number * 211) % (addressesEach - 2)))

/** The countries of these networks in MaxMind's format. `builtAt` in epoch seconds. */
export const demoCountryFile = (builtAt: number): Buffer =>
  countryFile(
    Object.fromEntries(countries.map((country, place) => [`${addressOf(place, 0)}/${prefixLength}`, country])),
    builtAt,
  )
