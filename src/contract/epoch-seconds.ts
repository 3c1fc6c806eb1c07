/** The end of the year 9999. */
export const maxEpochSeconds = 253_402_300_799
