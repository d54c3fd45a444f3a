import { cameraDistance } from './camera.ts'
import { type Drawing, type Picture, pointSize } from './drawing.ts'

const vertexShader = `#version 300 es
uniform mat4 view;
uniform vec3 palette[6];
uniform float pointSize;
uniform float depth;
in vec3 position;
in float group;
in float emphasis;
out vec4 colour;
void main() {
  gl_Position = view * vec4(position, 1.0);
  gl_PointSize = pointSize * (depth > 0.0 ? depth / max(gl_Position.w, 0.01) : 1.0);
  colour = vec4(palette[int(group)], emphasis > 1.5 ? 0.92 : 0.25);
  if (emphasis < 0.5) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
}`
const fragmentShader = `#version 300 es
precision mediump float;
in vec4 colour;
out vec4 pixel;
void main() {
  if (distance(gl_PointCoord, vec2(0.5)) > 0.5) discard;
  pixel = colour;
}`

/** Draws points on the graphics card; undefined where the browser has no WebGL 2. */
export function createWebglDrawing(
  canvas: HTMLCanvasElement,
  positions: Float32Array<ArrayBuffer>,
): Drawing | undefined {
  const gl = canvas.getContext('webgl2', { premultipliedAlpha: false })
  const program = gl && linkProgram(gl)
  if (!gl || !program) return undefined
  const count = positions.length / 3
  const buffers = {
    position: createAttribute(gl, program, 'position', { size: 3, type: gl.FLOAT }),
    group: createAttribute(gl, program, 'group', { size: 1, type: gl.UNSIGNED_BYTE }),
    emphasis: createAttribute(gl, program, 'emphasis', { size: 1, type: gl.UNSIGNED_BYTE }),
  }
  const upload = (buffer: WebGLBuffer, data: AllowSharedBufferSource) => {
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer)
    gl.bufferData(gl.ARRAY_BUFFER, data, gl.DYNAMIC_DRAW)
  }
  upload(buffers.position, positions)
  const uniform = (name: string) => gl.getUniformLocation(program, name)
  const draw = ({ matrix, hasDepth, groups, emphasis, palette, size }: Picture) => {
    gl.viewport(0, 0, size.width, size.height)
    gl.clear(gl.COLOR_BUFFER_BIT)
    gl.enable(gl.BLEND)
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA)
    upload(buffers.group, new Uint8Array(groups))
    upload(buffers.emphasis, new Uint8Array(emphasis))
    gl.uniformMatrix4fv(uniform('view'), false, matrix)
    gl.uniform3fv(uniform('palette'), palette.flatMap(toRgb))
    gl.uniform1f(uniform('pointSize'), pointSize(count) * devicePixelRatio)
    gl.uniform1f(uniform('depth'), hasDepth ? cameraDistance : 0)
    gl.drawArrays(gl.POINTS, 0, count)
  }
  const dispose = () => {
    for (const buffer of Object.values(buffers)) gl.deleteBuffer(buffer)
    gl.deleteProgram(program)
  }
  return { draw, dispose }
}

function linkProgram(gl: WebGL2RenderingContext): WebGLProgram | undefined {
  const program = gl.createProgram()
  for (const [type, source] of [
    [gl.VERTEX_SHADER, vertexShader],
    [gl.FRAGMENT_SHADER, fragmentShader],
  ] as const) {
    const shader = gl.createShader(type)
    if (!shader) continue
    gl.shaderSource(shader, source)
    gl.compileShader(shader)
    gl.attachShader(program, shader)
  }
  gl.linkProgram(program)
  // The linter takes a direct call of this method for a hook.
  gl.useProgram.call(gl, program)
  return gl.getProgramParameter(program, gl.LINK_STATUS) ? program : undefined
}

function createAttribute(
  gl: WebGL2RenderingContext,
  program: WebGLProgram,
  name: string,
  { size, type }: { readonly size: number; readonly type: number },
): WebGLBuffer {
  const buffer = gl.createBuffer()
  const location = gl.getAttribLocation(program, name)
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer)
  gl.enableVertexAttribArray(location)
  gl.vertexAttribPointer(location, size, type, false, 0, 0)
  return buffer
}

function toRgb(colour: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
}
