/** The version of this package, sent to the server as `typescript/<version>`. */
export const version = '0.1.0'
