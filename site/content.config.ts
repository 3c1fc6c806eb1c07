import { docsSchema } from '@astrojs/starlight/schema'
import { defineCollection } from 'astro:content'
import { glob } from 'astro/loaders'

// Written by `collectPages`.
const base = process.env['DOCS_PAGES'] ?? ''

export const collections = {
  docs: defineCollection({ loader: glob({ base, pattern: '**/*.md' }), schema: docsSchema() }),
}
