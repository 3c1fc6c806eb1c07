/** Addresses outside the dashboard. Empty means not set up: the entry stays and says so. */
export const links = {
  documentation: '',
  discord: '',
  twitter: '',
  github: '',
}
