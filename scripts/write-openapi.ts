/** Writes openapi.yaml from the app's own schemas; with `--check`, fails if it differs. */
import { writeOrCheck } from './generated-files.ts'
import { openapiDocument } from './openapi-document.ts'

await writeOrCheck([{ path: 'openapi.yaml', content: await openapiDocument() }], 'openapi')
