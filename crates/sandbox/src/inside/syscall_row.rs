//! A row of a table of system calls.

use libc::c_long;

/// How a call is answered.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum SyscallAnswer {
    /// By the kernel.
    Allow,
    /// With this error. Zero: "done", though nothing is.
    Refuse(i32),
    /// With this error when all tests of one of the rows hold; otherwise by the kernel.
    RefuseWhen(i32, &'static [&'static [ArgTest]]),
}

/// A test of an argument: its index, how, and against what. Of the low half, because the kernel itself looks at no
/// more of the arguments tested here, except pointers.
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

/// Calls of the C library's names: `calls![SYS_read SYS_write]`.
macro_rules! calls {
    ($($number:ident)*) => { &[$(Syscall { number: libc::$number, constant: stringify!($number) }),*] };
}
pub(crate) use calls;
