/** The MiniLM encoder as an ONNX graph: token ids and positions in, mean of the last layer out. */
import type { ReadTensor, Tensor } from './encoder-weights.ts'
import { createOnnxGraph, type OnnxGraph } from './onnx-graph.ts'

export const ENCODER_WIDTH = 384
const LAYERS = 6
const HEADS = 12
const HEAD_WIDTH = ENCODER_WIDTH / HEADS
const EPSILON = 1e-12

/** How the two kinds of large matrices are held and used, each given in the layout that it is used in. */
export interface Precision {
  /** Rows of `table`, by the ids of the input named `ids`. */
  readonly rows: (graph: OnnxGraph, table: Tensor, ids: string) => string
  /** `input` times `matrix`, which has a column for each output. */
  readonly product: (graph: OnnxGraph, input: string, matrix: Tensor) => string
}

export const FULL_PRECISION: Precision = {
  rows: (graph, { values, shape }, ids) => graph.add('Gather', [graph.floats(values, shape), ids]),
  product: (graph, input, { values, shape }) =>
    graph.add('MatMul', [input, graph.floats(values, shape)]),
}

/** Every text of a batch has the same number of tokens: there is no padding and no mask. */
export function buildEncoderGraph(read: ReadTensor, precision: Precision = FULL_PRECISION): Buffer {
  const graph = createOnnxGraph()
  const { values, shape } = placesWithType(read)
  const sum = graph.add('Add', [
    precision.rows(graph, read('embeddings.word_embeddings.weight'), 'ids'),
    graph.add('Gather', [graph.floats(values, shape), 'places']),
  ])
  const dense = createDense(graph, read, precision)
  let hidden = normalise(graph, read, 'embeddings.LayerNorm', sum)
  for (let layer = 0; layer < LAYERS; layer += 1) {
    const name = `encoder.layer.${layer}`
    const attended = attend(graph, dense, `${name}.attention`, hidden)
    hidden = normalise(
      graph,
      read,
      `${name}.attention.output.LayerNorm`,
      graph.add('Add', [hidden, attended]),
    )
    const inner = graph.add('Gelu', [dense(`${name}.intermediate.dense`, hidden)])
    const outer = dense(`${name}.output.dense`, inner)
    hidden = normalise(graph, read, `${name}.output.LayerNorm`, graph.add('Add', [hidden, outer]))
  }
  const pooled = graph.add('ReduceMean', [hidden, graph.integers([1])], { keepdims: 0 })
  return graph.build({ ids: ['batch', 'length'], places: ['length'] }, pooled)
}

/** All texts are of the first token type, so its embedding joins that of the place. */
function placesWithType(read: ReadTensor): Tensor {
  const places = read('embeddings.position_embeddings.weight')
  const type = read('embeddings.token_type_embeddings.weight').values
  return { ...places, values: places.values.map((value, at) => value + type[at % ENCODER_WIDTH]!) }
}

function attend(graph: OnnxGraph, dense: Dense, name: string, hidden: string): string {
  const split = graph.integers([0, 0, HEADS, HEAD_WIDTH])
  const project = (part: string, order: readonly number[]): string => {
    const projected = dense(`${name}.self.${part}`, hidden)
    return graph.add('Transpose', [graph.add('Reshape', [projected, split])], { perm: order })
  }
  const query = project('query', [0, 2, 1, 3])
  const key = project('key', [0, 2, 3, 1])
  const value = project('value', [0, 2, 1, 3])
  const scale = graph.floats(Float32Array.of(1 / Math.sqrt(HEAD_WIDTH)), [1])
  const scores = graph.add('Mul', [graph.add('MatMul', [query, key]), scale])
  const mixed = graph.add('MatMul', [graph.add('Softmax', [scores], { axis: 3 }), value])
  const joined = graph.add('Reshape', [
    graph.add('Transpose', [mixed], { perm: [0, 2, 1, 3] }),
    graph.integers([0, 0, ENCODER_WIDTH]),
  ])
  return dense(`${name}.output.dense`, joined)
}

type Dense = (name: string, input: string) => string

function createDense(graph: OnnxGraph, read: ReadTensor, precision: Precision): Dense {
  return (name, input) => {
    const product = precision.product(graph, input, transposed(read(`${name}.weight`)))
    const bias = read(`${name}.bias`)
    return graph.add('Add', [product, graph.floats(bias.values, bias.shape)])
  }
}

function transposed({ values, shape }: Tensor): Tensor {
  const [outputs = 0, inputs = 0] = shape
  const turned = new Float32Array(values.length)
  for (let row = 0; row < outputs; row += 1) {
    for (let column = 0; column < inputs; column += 1) {
      turned[column * outputs + row] = values[row * inputs + column]!
    }
  }
  return { values: turned, shape: [inputs, outputs] }
}

function normalise(graph: OnnxGraph, read: ReadTensor, name: string, input: string): string {
  const scale = read(`${name}.weight`)
  const bias = read(`${name}.bias`)
  return graph.add(
    'LayerNormalization',
    [input, graph.floats(scale.values, scale.shape), graph.floats(bias.values, bias.shape)],
    { axis: 2, epsilon: { float: EPSILON } },
  )
}
