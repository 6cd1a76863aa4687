//! A row of a table of system calls.

use libc::c_long;

/// The answer to a call.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum SyscallAnswer {
    /// The kernel handles the call.
    Allow,
    /// The call fails with this error. Zero pretends success.
    Refuse(i32),
    /// The call fails with this error if all tests of one of the rows hold; otherwise the kernel handles it.
    RefuseWhen(i32, &'static [&'static [ArgTest]]),
}

/// A test of an argument: its index, the comparison, and the value. It tests the low half, because for the
/// arguments tested here, except pointers, the kernel itself uses only that.
pub type ArgTest = (u8, ArgOp, u32);

/// A comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArgOp {
    /// Equal.
    Is,
    /// Not equal.
    Not,
    /// Has all these bits.
    Has,
    /// Has none of these bits.
    Lacks,
    /// A pointer that is not null, in either half; the value is zero.
    Points,
}

pub(crate) struct SyscallRow {
    pub(crate) calls: &'static [Syscall],
    pub(crate) answer: SyscallAnswer,
    pub(crate) why: &'static str,
}

pub(crate) struct Syscall {
    pub(crate) number: c_long,
    /// `SYS_read`.
    pub(crate) constant: &'static str,
}

/// Calls by the C library's names: `calls![SYS_read SYS_write; x86_64: SYS_open]`. Other architectures lack the calls
/// after `x86_64:`; there the filter of names answers `ENOSYS`.
macro_rules! calls {
    ($($number:ident)* $(; x86_64: $($old:ident)*)?) => {
        &[
            $(Syscall { number: libc::$number, constant: stringify!($number) },)*
            $($(
                #[cfg(target_arch = "x86_64")]
                Syscall { number: libc::$old, constant: stringify!($old) },
            )*)?
        ]
    };
}
pub(crate) use calls;
