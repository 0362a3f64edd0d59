/** What an ONNX file needs of protobuf: fields of varints, floats and bytes. */
const VARINT = 0
const BYTES = 2
const FLOAT = 5

export function varintField(number: number, value: number): Buffer {
  return Buffer.concat([varint(number * 8 + VARINT), varint(value)])
}

export function floatField(number: number, value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeFloatLE(value)
  return Buffer.concat([varint(number * 8 + FLOAT), bytes])
}

export function bytesField(number: number, value: string | readonly Uint8Array[]): Buffer {
  const content = typeof value === 'string' ? Buffer.from(value) : Buffer.concat(value)
  return Buffer.concat([varint(number * 8 + BYTES), varint(content.length), content])
}

function varint(value: number): Buffer {
  const bytes: number[] = []
  let left = value
  while (left > 127) {
    bytes.push((left % 128) + 128)
    left = Math.floor(left / 128)
  }
  bytes.push(left)
  return Buffer.from(bytes)
}
