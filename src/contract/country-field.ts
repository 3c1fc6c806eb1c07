import { Type } from 'typebox'
import { unknownCountry } from './country-filter.ts'

const maxCountriesInFilter = 20
const value = `(?:[A-Z]{2}|${unknownCountry})`

/** A country, or several separated by commas. */
export const CountryListField = Type.String({
  pattern: `^${value}(?:,${value}){0,${maxCountriesInFilter - 1}}$`,
  description: `Country codes, ISO 3166-1 alpha-2, or \`${unknownCountry}\` for unknown countries; up to ${maxCountriesInFilter}, separated by commas`,
})
