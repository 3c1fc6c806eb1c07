/** What administrators call this installation; the server has written it into the page's title. */
export const platformName = document.title || 'Signet'
