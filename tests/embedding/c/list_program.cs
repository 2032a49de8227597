// Lists the operators and weights of a program: list_program FILE.pt2. Native is what is needed here of pt2.h, and the
// classes below it make that safe: handles are freed once nobody has them, and a value keeps the one that it is of.
using System;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.InteropServices;
using System.Text;

static class Native {
  [StructLayout(LayoutKind.Sequential)]
  public struct Str {
    public IntPtr data;
    public UIntPtr size;

    public override string ToString() {
      var bytes = new byte[(int)size];
      if (bytes.Length != 0) Marshal.Copy(data, bytes, 0, bytes.Length);
      return Encoding.UTF8.GetString(bytes);
    }
  }

  [StructLayout(LayoutKind.Sequential)]
  public struct Value {
    public IntPtr at, type;
    public ulong place, life;
  }

  const string Library = "pt2c";
  [DllImport(Library)] public static extern Str pt2_error_message(IntPtr error);
  [DllImport(Library)] public static extern void pt2_error_free(IntPtr error);
  [DllImport(Library)] public static extern IntPtr pt2_file_open(byte[] path, IntPtr options, out IntPtr file);
  [DllImport(Library)] public static extern void pt2_file_free(IntPtr file);
  [DllImport(Library)] public static extern IntPtr pt2_program_load(Handle file, Str model, IntPtr options, out IntPtr program);
  [DllImport(Library)] public static extern void pt2_program_free(IntPtr program);
  [DllImport(Library)] public static extern Value pt2_program_value(Handle program);
  [DllImport(Library)] public static extern Value schemagen_value_named(Value value, byte[] name);
  [DllImport(Library)] public static extern Value schemagen_value_item(Value value, UIntPtr index);
  [DllImport(Library)] public static extern UIntPtr schemagen_value_size(Value value);
  [DllImport(Library)] public static extern Str schemagen_value_string(Value value);
  [DllImport(Library)] public static extern IntPtr pt2_weights_load(Handle file, Str model, out IntPtr weights);
  [DllImport(Library)] public static extern UIntPtr pt2_weights_count(Handle weights);
  [DllImport(Library)] public static extern IntPtr pt2_weights_at(Handle weights, UIntPtr index);
  [DllImport(Library)] public static extern void pt2_weights_free(IntPtr weights);
  [DllImport(Library)] public static extern Str pt2_tensor_name(IntPtr tensor);
  [DllImport(Library)] public static extern Str pt2_tensor_dtype_name(IntPtr tensor);
  [DllImport(Library)] public static extern UIntPtr pt2_tensor_rank(IntPtr tensor);
  [DllImport(Library)] public static extern IntPtr pt2_tensor_shape(IntPtr tensor);

  public static byte[] Text(string text) {
    if (text.Contains('\0')) throw new ArgumentException("the text has a zero in it");
    return Encoding.UTF8.GetBytes(text + '\0');
  }

  // Throws what a call gave, if that is an error.
  public static void Check(IntPtr error) {
    if (error == IntPtr.Zero) return;
    var message = pt2_error_message(error).ToString();
    pt2_error_free(error);
    throw new InvalidOperationException(message);
  }
}

// Never freed while a call uses it.
class Handle : SafeHandle {
  readonly Action<IntPtr> free;

  public Handle(IntPtr handle, Action<IntPtr> free) : base(IntPtr.Zero, true) {
    this.free = free;
    SetHandle(handle);
  }
  public override bool IsInvalid { get { return handle == IntPtr.Zero; } }
  protected override bool ReleaseHandle() {
    free(handle);
    return true;
  }

  public static Handle Open(string path) {
    IntPtr file;
    Native.Check(Native.pt2_file_open(Native.Text(path), IntPtr.Zero, out file));
    return new Handle(file, Native.pt2_file_free);
  }
}

class Value {
  readonly Handle program;
  readonly Native.Value value;

  Value(Handle program, Native.Value value) {
    this.program = program;
    this.value = value;
  }

  public static Value Load(Handle file) {
    IntPtr program;
    Native.Check(Native.pt2_program_load(file, new Native.Str(), IntPtr.Zero, out program));
    var handle = new Handle(program, Native.pt2_program_free);
    return new Value(handle, Native.pt2_program_value(handle));
  }

  public Value this[string field] { get { return Get(Native.schemagen_value_named(value, Native.Text(field))); } }
  public Value this[int index] { get { return Get(Native.schemagen_value_item(value, (UIntPtr)index)); } }
  public int Count { get { return Keep((int)Native.schemagen_value_size(value)); } }
  public IEnumerable<Value> Items { get { return Enumerable.Range(0, Count).Select(index => this[index]); } }
  public override string ToString() { return Keep(Native.schemagen_value_string(value).ToString()); }

  Value Get(Native.Value part) { return Keep(new Value(program, part)); }
  T Keep<T>(T result) {
    GC.KeepAlive(program);  // until here
    return result;
  }
}

class Tensor {
  public string Name, Dtype;
  public long[] Shape;

  public static List<Tensor> Load(Handle file) {
    IntPtr weights;
    Native.Check(Native.pt2_weights_load(file, new Native.Str(), out weights));
    using (var handle = new Handle(weights, Native.pt2_weights_free)) {
      var count = (int)Native.pt2_weights_count(handle);
      return Enumerable.Range(0, count).Select(index => Of(Native.pt2_weights_at(handle, (UIntPtr)index))).ToList();
    }
  }

  static Tensor Of(IntPtr tensor) {
    var shape = new long[(int)Native.pt2_tensor_rank(tensor)];
    if (shape.Length != 0) Marshal.Copy(Native.pt2_tensor_shape(tensor), shape, 0, shape.Length);
    return new Tensor { Name = Native.pt2_tensor_name(tensor).ToString(),
                        Dtype = Native.pt2_tensor_dtype_name(tensor).ToString(), Shape = shape };
  }
}

static class ListProgram {
  static int Main(string[] arguments) {
    try {
      using (var file = Handle.Open(arguments[0])) {
        foreach (var node in Value.Load(file)["graph_module"]["graph"]["nodes"].Items)
          Console.WriteLine("{0}, {1} arguments", node["target"], node["inputs"].Count);
        foreach (var tensor in Tensor.Load(file))
          Console.WriteLine("{0}: {1}{2}", tensor.Name, tensor.Dtype, string.Concat(tensor.Shape.Select(size => " " + size)));
      }
      return 0;
    } catch (InvalidOperationException error) {
      Console.Error.WriteLine(error.Message);
      return 1;
    }
  }
}
