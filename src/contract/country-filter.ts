/** Value of a filter by country for rows whose country is unknown; they store an empty one. */
export const unknownCountry = 'unknown'

export const storedCountry = (country: string): string => (country === unknownCountry ? '' : country)

/** Of a list separated by commas. */
export const storedCountriesOf = (list: string): string[] => [...new Set(list.split(',').map(storedCountry))]
