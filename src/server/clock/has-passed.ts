/** Whether that many seconds have passed since `since`. A time in the future is from before the clock was set back. */
export const hasPassed = (seconds: number, since: number, now: number): boolean => now < since || now - since >= seconds
