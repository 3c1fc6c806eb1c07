import { serverVersion } from '../../process/server-version.ts'
import { Components } from './components.ts'

/** One call of a document. */
export interface Operation {
  method: string
  path: string
  tag: string
  /** Everything that OpenAPI puts below the method; its schemas may refer to the components. */
  content: (components: Components) => object
}

export interface DocumentParts {
  title: string
  description: string
  /** Scheme, host and port, without a slash at the end. */
  serverUrl: string
  securitySchemes: Record<string, object>
  operations: readonly Operation[]
}

/** An OpenAPI 3.1 document. Generated clients call its operations by their `operationId`. */
export function openApiDocument(parts: DocumentParts): object {
  const components = new Components(parts.securitySchemes)
  const paths: Record<string, Record<string, object>> = {}
  for (const { method, path, tag, content } of parts.operations) {
    const item = (paths[path] ??= {})
    item[method.toLowerCase()] = { tags: [tag], ...content(components) }
  }
  const tags = [...new Set(parts.operations.map(({ tag }) => tag))]
  return {
    openapi: '3.1.0',
    info: {
      title: parts.title,
      version: serverVersion,
      description: parts.description,
      license: { name: 'AGPL-3.0-only', identifier: 'AGPL-3.0-only' },
    },
    servers: [{ url: parts.serverUrl }],
    tags: tags.map((name) => ({ name, description: `Calls about ${name.replaceAll('-', ' ')}` })),
    paths,
    components: components.all(),
  }
}
