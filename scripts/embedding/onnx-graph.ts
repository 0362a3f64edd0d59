/** Collects an ONNX graph node by node and writes it as a model file. */
import { bytesField, floatField, varintField } from './protobuf.ts'

const FLOAT = 1
const INT8 = 3
const INT64 = 7
const ATTRIBUTE_FLOAT = 1
const ATTRIBUTE_INTEGER = 2
const ATTRIBUTE_INTEGERS = 7
/** The first in which Gelu is an operator. */
const OPERATOR_SET = 20
const FORMAT_VERSION = 9

type Attribute = { readonly float: number } | number | readonly number[]

export interface OnnxGraph {
  /** Adds a node with one output and returns that output's name. */
  readonly add: (
    operator: string,
    inputs: readonly string[],
    attributes?: Readonly<Record<string, Attribute>>,
  ) => string
  /** Adds a node with several outputs and returns their names. */
  readonly addSeveral: (operator: string, inputs: readonly string[], outputs: number) => string[]
  readonly floats: (values: Float32Array, shape: readonly number[]) => string
  readonly bytes: (values: Int8Array, shape: readonly number[]) => string
  readonly integers: (values: readonly number[]) => string
  /** The file. Inputs are int64 of the named dimensions, `output` is float32. */
  readonly build: (inputs: Readonly<Record<string, readonly string[]>>, output: string) => Buffer
}

export function createOnnxGraph(): OnnxGraph {
  const nodes: Buffer[] = []
  const tensors: Buffer[] = []

  const addTensor = (type: number, shape: readonly number[], data: Uint8Array): string => {
    const name = `t${tensors.length}`
    const dimensions = shape.map((size) => varintField(1, size))
    const fields = [...dimensions, varintField(2, type), bytesField(8, name), bytesField(9, [data])]
    tensors.push(bytesField(5, fields))
    return name
  }

  const addNode = (
    operator: string,
    inputs: readonly string[],
    outputs: readonly string[],
    attributes: Readonly<Record<string, Attribute>> = {},
  ): void => {
    nodes.push(
      bytesField(1, [
        ...inputs.map((input) => bytesField(1, input)),
        ...outputs.map((output) => bytesField(2, output)),
        bytesField(4, operator),
        ...Object.entries(attributes).map(([key, value]) => attributeField(key, value)),
      ]),
    )
  }

  return {
    add: (operator, inputs, attributes) => {
      const name = `n${nodes.length}`
      addNode(operator, inputs, [name], attributes)
      return name
    },
    addSeveral: (operator, inputs, outputs) => {
      const names = Array.from({ length: outputs }, (_, output) => `n${nodes.length}_${output}`)
      addNode(operator, inputs, names)
      return names
    },
    floats: (values, shape) => addTensor(FLOAT, shape, bytesOf(values)),
    bytes: (values, shape) => addTensor(INT8, shape, bytesOf(values)),
    integers: (values) =>
      addTensor(
        INT64,
        [values.length],
        new Uint8Array(BigInt64Array.from(values, (value) => BigInt(value)).buffer),
      ),
    build: (inputs, output) =>
      Buffer.concat([
        varintField(1, FORMAT_VERSION),
        bytesField(7, [
          ...nodes,
          bytesField(2, 'encoder'),
          ...tensors,
          ...Object.entries(inputs).map(([name, shape]) =>
            bytesField(11, valueInfo(name, INT64, shape)),
          ),
          bytesField(12, valueInfo(output, FLOAT, ['batch', 'width'])),
        ]),
        bytesField(8, [bytesField(1, ''), varintField(2, OPERATOR_SET)]),
      ]),
  }
}

function bytesOf({ buffer, byteOffset, byteLength }: Float32Array | Int8Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength)
}

function attributeField(name: string, value: Attribute): Buffer {
  if (typeof value === 'number') {
    return bytesField(5, [
      bytesField(1, name),
      signedField(3, value),
      varintField(20, ATTRIBUTE_INTEGER),
    ])
  }
  if ('float' in value) {
    return bytesField(5, [
      bytesField(1, name),
      floatField(2, value.float),
      varintField(20, ATTRIBUTE_FLOAT),
    ])
  }
  return bytesField(5, [
    bytesField(1, name),
    ...value.map((entry) => signedField(8, entry)),
    varintField(20, ATTRIBUTE_INTEGERS),
  ])
}

/** Axes are counted from the front here, so that no negative number has to be written. */
function signedField(field: number, value: number): Buffer {
  if (value < 0) throw new RangeError('An attribute must not be negative.')
  return varintField(field, value)
}

function valueInfo(name: string, type: number, shape: readonly string[]): Buffer[] {
  const dimensions = shape.map((dimension) => bytesField(1, [bytesField(2, dimension)]))
  const tensorType = [varintField(1, type), bytesField(2, dimensions)]
  return [bytesField(1, name), bytesField(2, [bytesField(1, tensorType)])]
}
