<s>
a	a	DT
b	b
</s>
