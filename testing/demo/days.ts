/** Days of business that the demo has. */
export const demoDays = 90
