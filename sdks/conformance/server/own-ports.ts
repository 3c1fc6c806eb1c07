const first = 11_000
const ofOneRun = 600
const runs = 36

let given = 0

/**
 * A port below those that systems give out by themselves, so that nobody else gets it while a scenario has stopped its
 * server. Runs that were started one after the other have ports of their own.
 */
export const nextPort = (): number => first + (process.pid % runs) * ofOneRun + (given++ % ofOneRun)

/** How often another port is worth a try. */
export const portTries = ofOneRun
