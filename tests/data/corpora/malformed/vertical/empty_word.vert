<s>
	a	DT
</s>
