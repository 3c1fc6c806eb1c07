/** The name of this installation, which the server has written into the page title. */
export const platformName = document.title || 'Signet'
