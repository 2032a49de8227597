//! Lists the operators and weights of a program: list_program FILE.pt2. No crate: `pt2` is a safe wrapper of what is
//! needed here, and lifetimes keep what is borrowed with its owner.

mod pt2 {
    use std::ffi::{c_void, CString};
    use std::marker::PhantomData;
    use std::os::raw::c_char;
    use std::ptr::{null, null_mut};

    #[repr(C)]
    #[derive(Clone, Copy)]
    struct Str {
        data: *const u8,
        size: usize,
    }

    #[repr(C)]
    #[derive(Clone, Copy)]
    struct RawValue {
        at: *const c_void,
        kind: *const c_void,
        place: u64,
        life: u64,
    }

    #[link(name = "pt2c")]
    extern "C" {
        fn pt2_error_message(error: *const c_void) -> Str;
        fn pt2_error_free(error: *mut c_void);
        fn pt2_file_open(path: *const c_char, options: *const c_void, out: *mut *mut c_void) -> *mut c_void;
        fn pt2_file_free(file: *mut c_void);
        fn pt2_program_load(file: *const c_void, model: Str, options: *const c_void, out: *mut *mut c_void) -> *mut c_void;
        fn pt2_program_free(program: *mut c_void);
        fn pt2_program_value(program: *const c_void) -> RawValue;
        fn schemagen_value_named(value: RawValue, name: *const c_char) -> RawValue;
        fn schemagen_value_item(value: RawValue, index: usize) -> RawValue;
        fn schemagen_value_size(value: RawValue) -> usize;
        fn schemagen_value_string(value: RawValue) -> Str;
        fn pt2_weights_load(file: *const c_void, model: Str, out: *mut *mut c_void) -> *mut c_void;
        fn pt2_weights_count(weights: *const c_void) -> usize;
        fn pt2_weights_at(weights: *const c_void, index: usize) -> *const c_void;
        fn pt2_weights_free(weights: *mut c_void);
        fn pt2_tensor_name(tensor: *const c_void) -> Str;
        fn pt2_tensor_dtype_name(tensor: *const c_void) -> Str;
        fn pt2_tensor_rank(tensor: *const c_void) -> usize;
        fn pt2_tensor_shape(tensor: *const c_void) -> *const i64;
    }

    const NO_TEXT: Str = Str { data: null(), size: 0 };

    /// The text, as long as its owner.
    unsafe fn text<'a>(text: Str) -> &'a str {
        if text.size == 0 {
            return "";
        }
        std::str::from_utf8(std::slice::from_raw_parts(text.data, text.size)).unwrap_or("")
    }

    /// The handle, if the call made one.
    fn made(call: impl FnOnce(*mut *mut c_void) -> *mut c_void) -> Result<*mut c_void, String> {
        let mut out = null_mut();
        let error = call(&mut out);
        if error.is_null() {
            return Ok(out);
        }
        let message = unsafe { text(pt2_error_message(error)).to_string() };
        unsafe { pt2_error_free(error) };
        Err(message)
    }

    pub struct File(*mut c_void);
    pub struct Program(*mut c_void);
    pub struct Weights(*mut c_void);
    /// Borrowed from a Program, which cannot be dropped before.
    #[derive(Clone, Copy)]
    pub struct Value<'a>(RawValue, PhantomData<&'a Program>);
    pub struct Tensor<'a>(*const c_void, PhantomData<&'a Weights>);

    impl File {
        pub fn open(path: &str) -> Result<File, String> {
            let path = CString::new(path).map_err(|_| "the path has a zero in it".to_string())?;
            made(|out| unsafe { pt2_file_open(path.as_ptr(), null(), out) }).map(File)
        }
        pub fn program(&self) -> Result<Program, String> {
            made(|out| unsafe { pt2_program_load(self.0, NO_TEXT, null(), out) }).map(Program)
        }
        pub fn weights(&self) -> Result<Weights, String> {
            made(|out| unsafe { pt2_weights_load(self.0, NO_TEXT, out) }).map(Weights)
        }
    }

    impl Program {
        pub fn value(&self) -> Value<'_> {
            Value(unsafe { pt2_program_value(self.0) }, PhantomData)
        }
    }

    impl<'a> Value<'a> {
        pub fn named(&self, name: &str) -> Value<'a> {
            let name = CString::new(name).unwrap_or_default();
            Value(unsafe { schemagen_value_named(self.0, name.as_ptr()) }, PhantomData)
        }
        pub fn items(&self) -> impl Iterator<Item = Value<'a>> + '_ {
            (0..self.len()).map(|index| Value(unsafe { schemagen_value_item(self.0, index) }, PhantomData))
        }
        pub fn len(&self) -> usize {
            unsafe { schemagen_value_size(self.0) }
        }
        pub fn text(&self) -> &'a str {
            unsafe { text(schemagen_value_string(self.0)) }
        }
    }

    impl Weights {
        pub fn iter(&self) -> impl Iterator<Item = Tensor<'_>> {
            let count = unsafe { pt2_weights_count(self.0) };
            (0..count).map(|index| Tensor(unsafe { pt2_weights_at(self.0, index) }, PhantomData))
        }
    }

    impl<'a> Tensor<'a> {
        pub fn name(&self) -> &'a str {
            unsafe { text(pt2_tensor_name(self.0)) }
        }
        pub fn dtype(&self) -> &'a str {
            unsafe { text(pt2_tensor_dtype_name(self.0)) }
        }
        pub fn shape(&self) -> &'a [i64] {
            match unsafe { pt2_tensor_rank(self.0) } {
                0 => &[],
                rank => unsafe { std::slice::from_raw_parts(pt2_tensor_shape(self.0), rank) },
            }
        }
    }

    macro_rules! free_when_dropped {
        ($($handle:ident $free:ident),*) => {
            $(impl Drop for $handle { fn drop(&mut self) { unsafe { $free(self.0) } } })*
        };
    }
    free_when_dropped!(File pt2_file_free, Program pt2_program_free, Weights pt2_weights_free);
}

fn list(path: &str) -> Result<(), String> {
    let file = pt2::File::open(path)?;
    let program = file.program()?;
    for node in program.value().named("graph_module").named("graph").named("nodes").items() {
        println!("{}, {} arguments", node.named("target").text(), node.named("inputs").len());
    }
    for tensor in file.weights()?.iter() {
        let shape: Vec<String> = tensor.shape().iter().map(|size| format!(" {size}")).collect();
        println!("{}: {}{}", tensor.name(), tensor.dtype(), shape.concat());
    }
    Ok(())
}

fn main() {
    let path = std::env::args().nth(1).expect("list_program FILE.pt2");
    if let Err(message) = list(&path) {
        eprintln!("{message}");
        std::process::exit(1);
    }
}
