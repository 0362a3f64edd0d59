import { isFormatId } from '../../../src/formats/index.ts'
import { WIRE_FORMATS } from '../../helpers/arbitraries/index.ts'

/** The formats that the service reads, of those that there are conversations for. */
export const SERVED_FORMATS = WIRE_FORMATS.filter(isFormatId)
